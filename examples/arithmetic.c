// Four numbers, each compared with another: the smallest program that random testing does not get through.
//
// shows: crest.h, an exhausted path space (5 executions are all there are)
// run: untaken run examples/arithmetic.c --strategy dfs
// expect: branches=8/8 findings=0 exhausted=yes iterations=5 args="--strategy dfs"
#include <crest.h>
#include <stdio.h>

int main(void)
{
    int a, b, c, d;
    CREST_int(a);
    CREST_int(b);
    CREST_int(c);
    CREST_int(d);

    if (a == 5)
        if (b == 19)
            if (c == 7)
                if (d == 4)
                    puts("all four");
    return 0;
}
