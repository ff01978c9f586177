/* Max-CallDepth, the OSMOSE paper's figure 4: what main does depends on which way a callee went.
 *
 * With --prune call-depth=0 the callee's decision is never turned, and one side of main's is never seen.
 */
#include <untaken.h>

static int f(int x)
{
    if (x == 123456789)
        return 1;
    return 0;
}

int main(void)
{
    int x;
    untaken_int(&x);
    if (f(x))
        return 1;
    return 2;
}
