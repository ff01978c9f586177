/* Max-CallDepth, the OSMOSE paper's figure 3: a callee that one path covers but that can be left in very many ways, then a
 * decision of main's own that has nothing to do with it.
 *
 * Every turn in the callee makes the path longer, so that within a bound of k decisions main's own comes last, after about
 * 2^k paths. Look-ahead cannot forbid them: after the callee returns, main's decision is still to come. With --prune
 * call-depth=0 only main's decision is turned: two paths.
 */
#include <untaken.h>

static int odd(void)
{
    unsigned char byte;
    untaken_input(&byte, sizeof byte, "byte");
    return byte & 1;
}

static void busy(void)
{
    int length = 2;
    for (int i = 0; i < length; i++)
        if (odd() != (i == 0)) /* on zeros: yes, then no */
            length += 20 * (i != 0);
        else
            length += 20 * (i == 0);
}

int main(void)
{
    unsigned char own;
    untaken_input(&own, sizeof own, "own");
    busy();
    if (own == 77)
        return 77;
    return 0;
}
