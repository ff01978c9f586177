// Five numbers, sorted by a network that lacks one comparison: for most inputs nobody notices.
//
// shows: symbolic values through swaps, a property checked at the end
// run: untaken run examples/sorting_network.c --strategy dfs
// expect: branches=8/8 findings=1 args="--strategy dfs"
#include <assert.h>
#include <untaken.h>

enum { COUNT = 5 };

static void order(int *a, int *b)
{
    if (*a > *b) {
        int old = *a;
        *a = *b;
        *b = old;
    }
}

static void sort(int *v)
{
    static const unsigned char pairs[][2] = {{0, 1}, {3, 4}, {2, 4}, {2, 3}, {0, 3}, {0, 2}, {1, 4}, {1, 2}};
    for (unsigned i = 0; i < sizeof pairs / sizeof pairs[0]; i++)
        order(&v[pairs[i][0]], &v[pairs[i][1]]);
    // The last comparison of the network, {1, 3} between {1, 4} and {1, 2}, was lost.
}

int main(void)
{
    int values[COUNT];
    untaken_input(values, sizeof values, "values");
    sort(values);
    for (int i = 1; i < COUNT; i++)
        assert(values[i - 1] <= values[i]);
    return 0;
}
