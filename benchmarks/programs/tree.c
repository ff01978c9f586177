// Pointers: a treap is built from the data, searched, and taken apart through a linked list.
// bench: rounds=14000 stdin=512
#include "workload.h"

struct node {
    struct node *left, *right, *next;
    uint32_t key, priority;
};

static struct node *rotate_right(struct node *node)
{
    struct node *left = node->left;
    node->left = left->right;
    left->right = node;
    return left;
}

static struct node *rotate_left(struct node *node)
{
    struct node *right = node->right;
    node->right = right->left;
    right->left = node;
    return right;
}

static struct node *insert(struct node *tree, struct node *leaf)
{
    if (!tree)
        return leaf;
    if (leaf->key < tree->key) {
        tree->left = insert(tree->left, leaf);
        return tree->left->priority > tree->priority ? rotate_right(tree) : tree;
    }
    tree->right = insert(tree->right, leaf);
    return tree->right->priority > tree->priority ? rotate_left(tree) : tree;
}

static int steps_to(const struct node *tree, uint32_t key)
{
    int steps = 0;
    for (; tree && tree->key != key; steps++)
        tree = key < tree->key ? tree->left : tree->right;
    return steps;
}

static struct node *flatten(struct node *tree, struct node *rest)
{
    if (!tree)
        return rest;
    tree->next = flatten(tree->right, rest);
    return flatten(tree->left, tree);
}

static uint32_t work(const unsigned char *data, size_t size, uint32_t seed)
{
    struct node *root = NULL;
    uint32_t result = seed, priority = seed | 1;
    for (size_t i = 0; i + 2 <= size; i += 2) {
        struct node *node = malloc(sizeof *node);
        if (!node)
            abort();
        priority = priority * 1664525u + 1013904223u;
        *node = (struct node){.key = (uint32_t)(data[i] << 8 | data[i + 1]), .priority = priority};
        root = insert(root, node);
    }
    for (size_t i = 0; i + 2 <= size; i += 8)
        result = result * 31 + (uint32_t)steps_to(root, (uint32_t)(data[i] << 8 | data[i + 1]));
    for (struct node *node = flatten(root, NULL), *next; node; node = next) {
        next = node->next;
        result = (result ^ node->key) * 16777619u;
        free(node);
    }
    return result;
}
