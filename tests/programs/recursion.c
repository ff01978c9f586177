// checks: recursion, mutual recursion, and recursion over structures built from the input
#include "collection.h"

static int even(unsigned n);
static int odd(unsigned n) { return n == 0 ? 0 : even(n - 1); }
static int even(unsigned n) { return n == 0 ? 1 : odd(n - 1); }

static unsigned ackermann(unsigned m, unsigned n)
{
    if (m == 0)
        return n + 1;
    return n == 0 ? ackermann(m - 1, 1) : ackermann(m - 1, ackermann(m, n - 1));
}

struct tree {
    struct tree *left, *right;
    int key;
};

static struct tree *insert(struct tree *tree, struct tree *leaf)
{
    if (!tree)
        return leaf;
    if (leaf->key < tree->key)
        tree->left = insert(tree->left, leaf);
    else
        tree->right = insert(tree->right, leaf);
    return tree;
}

static int depth(const struct tree *tree)
{
    if (!tree)
        return 0;
    int left = depth(tree->left), right = depth(tree->right);
    return 1 + (left > right ? left : right);
}

static long fold(const struct tree *tree, long so_far)
{
    return tree ? fold(tree->right, (fold(tree->left, so_far) * 31 + tree->key) & 0xffffff) : so_far;
}

static void permute(unsigned char *values, int count, unsigned *rising)
{
    if (count == 1) {
        *rising += values[0] < values[1] && values[1] < values[2];
        return;
    }
    for (int i = 0; i < count; i++) {
        unsigned char old = values[i];
        values[i] = values[count - 1], values[count - 1] = old;
        permute(values, count - 1, rising);
        values[count - 1] = values[i], values[i] = old;
    }
}

int main(void)
{
    read_input();
    show("even", even(u8(0) & 63));
    show("ackermann", ackermann(u8(1) & 1, u8(2) & 15));
    struct tree leaves[10] = {0}, *root = NULL;
    for (unsigned i = 0; i < 10; i++) {
        leaves[i].key = s8(4 + i);
        root = insert(root, &leaves[i]);
    }
    show("depth", depth(root));
    show("fold", fold(root, 1));
    unsigned rising = 0;
    permute(input + 16, 4, &rising);
    show("rising", rising);
    return finish();
}
