// checks: complex numbers, passed, returned, multiplied and compared
// flags: -lm -ffp-contract=off
#include "collection.h"
#include <complex.h>

static double complex rotate(double complex z) { return z * I; }
static float complex conjugate(float complex z) { return crealf(z) - cimagf(z) * I; }

int main(void)
{
    read_input();
    double complex a = s8(0) + s8(1) * I, b = s8(2) + s8(3) * I;
    double complex product = a * b, sum = a + b;
    show("product real", (long long)creal(product));
    show("product imaginary", (long long)cimag(product));
    show("sum", (long long)(creal(sum) * 1000 + cimag(sum)));
    show("equal", a == b);
    double complex turned = rotate(rotate(rotate(rotate(a))));
    expect(turned == a);
    float complex mirrored = conjugate(s8(4) + s8(5) * I);
    show("mirrored", (long long)(crealf(mirrored) - cimagf(mirrored)));
    int _Complex whole = 3 + u8(6) * 1i;
    whole *= 2 + 1i;
    show("integers", __real__ whole * 10000 + __imag__ whole);
    return finish();
}
