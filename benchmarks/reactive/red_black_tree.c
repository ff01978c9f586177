/* Red-black trees, as a library of macros would give them for a struct of the user's, and a driver that calls its
 * functions in an order which the inputs decide: that of figure 3 of the paper on hybrid concolic testing.
 *
 * untaken run benchmarks/reactive/red_black_tree.c --strategy hybrid
 */
#include <untaken.h>

#include <assert.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>

enum { BLACK, RED };

typedef struct rbtree {
    int i;
    struct rbtree *left, *right;
    char color;
} rbtree;

/* Negative, zero or positive, as a is less than, equal to or greater than b. */
#define COMPARE(a, b) (((a)->i > (b)->i) - ((a)->i < (b)->i))

#define IS_RED(node) ((node) != NULL && (node)->color == RED)
#define IS_BLACK(node) ((node) == NULL || (node)->color == BLACK)

/* ---- Rotations: the child on the far side comes up, the top goes down to the near side. ---- */

#define RAISE_FAR(tree, near, far)     \
    do {                               \
        rbtree *top_ = *(tree);        \
        rbtree *up_ = top_->far;       \
        top_->far = up_->near;         \
        up_->near = top_;              \
        *(tree) = up_;                 \
    } while (0)

#define RAISE_FAR_NEAR(tree, near, far) \
    do {                                \
        rbtree *top_ = *(tree);         \
        rbtree *old_ = top_->far;       \
        rbtree *up_ = old_->near;       \
        old_->near = up_->far;          \
        top_->far = up_->near;          \
        up_->far = old_;                \
        up_->near = top_;               \
        *(tree) = up_;                  \
    } while (0)

/* ---- After an insertion on the far side: two red nodes may follow one another there. ---- */

#define PUSH_RED_UP(tree)               \
    do {                                \
        (*(tree))->color = RED;         \
        (*(tree))->left->color = BLACK; \
        (*(tree))->right->color = BLACK; \
    } while (0)

#define FIX_INSERTION(tree, near, far)                             \
    do {                                                           \
        rbtree *grand_ = *(tree);                                  \
        if (grand_->color == BLACK && IS_RED(grand_->far)) {       \
            if (IS_RED(grand_->far->far)) {                        \
                if (IS_RED(grand_->near)) {                        \
                    PUSH_RED_UP(tree);                             \
                } else {                                           \
                    RAISE_FAR(tree, near, far);                    \
                    (*(tree))->color = BLACK;                      \
                    (*(tree))->near->color = RED;                  \
                }                                                  \
            } else if (IS_RED(grand_->far->near)) {                \
                if (IS_RED(grand_->near)) {                        \
                    PUSH_RED_UP(tree);                             \
                } else {                                           \
                    RAISE_FAR_NEAR(tree, near, far);               \
                    (*(tree))->color = BLACK;                      \
                    (*(tree))->near->color = RED;                  \
                    (*(tree))->far->color = RED;                   \
                }                                                  \
            }                                                      \
        }                                                          \
    } while (0)

/* ---- After a deletion on the near side: one black node is missing there. `shorter` says whether one still is. ---- */

#define LEND_BLACK(tree, near, far, shorter)                                  \
    do {                                                                      \
        rbtree *lender_ = *(tree);                                            \
        rbtree *sibling_ = lender_->far;                                      \
        if (IS_RED(sibling_->far)) {                                          \
            char color_ = lender_->color;                                     \
            RAISE_FAR(tree, near, far);                                       \
            (*(tree))->color = color_;                                        \
            (*(tree))->near->color = BLACK;                                   \
            (*(tree))->far->color = BLACK;                                    \
            (shorter) = false;                                                \
        } else if (IS_RED(sibling_->near)) {                                  \
            char color_ = lender_->color;                                     \
            RAISE_FAR_NEAR(tree, near, far);                                  \
            (*(tree))->color = color_;                                        \
            (*(tree))->near->color = BLACK;                                   \
            (*(tree))->far->color = BLACK;                                    \
            (shorter) = false;                                                \
        } else {                                                              \
            sibling_->color = RED;                                            \
            (shorter) = lender_->color == BLACK;                              \
            lender_->color = BLACK;                                           \
        }                                                                     \
    } while (0)

#define FIX_DELETION(tree, near, far, shorter)           \
    do {                                                 \
        rbtree *bare_ = *(tree);                         \
        assert(bare_->far != NULL);                      \
        if (bare_->far->color == RED) {                  \
            RAISE_FAR(tree, near, far);                  \
            (*(tree))->color = BLACK;                    \
            (*(tree))->near->color = RED;                \
            LEND_BLACK(&(*(tree))->near, near, far, shorter); \
            assert(!(shorter));                          \
        } else {                                         \
            LEND_BLACK(tree, near, far, shorter);        \
        }                                                \
    } while (0)

/* ---- Adding ---- */

/* Adds the element; with `member` only if there is none like it, which is told there. Returns whether it was added. */
static bool add_below(rbtree **tree, rbtree *elem, rbtree **member)
{
    rbtree *node = *tree;
    if (node == NULL) {
        elem->left = elem->right = NULL;
        elem->color = RED;
        *tree = elem;
        return true;
    }
    int order = COMPARE(elem, node);
    if (order == 0 && member != NULL) {
        *member = node;
        return false;
    }
    if (order < 0) {
        if (!add_below(&node->left, elem, member))
            return false;
        FIX_INSERTION(tree, right, left);
    } else {
        if (!add_below(&node->right, elem, member))
            return false;
        FIX_INSERTION(tree, left, right);
    }
    return true;
}

void rbtree_add(rbtree **tree, rbtree *elem)
{
    add_below(tree, elem, NULL);
    (*tree)->color = BLACK;
}

bool rbtree_add_if_not_member(rbtree **tree, rbtree *elem, rbtree **member)
{
    *member = NULL;
    bool added = add_below(tree, elem, member);
    (*tree)->color = BLACK;
    return added;
}

/* ---- Finding ---- */

rbtree *rbtree_find_member(rbtree *tree, const rbtree *elem)
{
    while (tree != NULL) {
        int order = COMPARE(elem, tree);
        if (order == 0)
            return tree;
        tree = order < 0 ? tree->left : tree->right;
    }
    return NULL;
}

/* Whether this very element, and not only one like it, is in the tree: equal ones may lie on both sides. */
bool rbtree_is_member(const rbtree *tree, const rbtree *elem)
{
    if (tree == NULL)
        return false;
    if (tree == elem)
        return true;
    int order = COMPARE(elem, tree);
    if (order <= 0 && rbtree_is_member(tree->left, elem))
        return true;
    return order >= 0 && rbtree_is_member(tree->right, elem);
}

int rbtree_len(const rbtree *tree)
{
    int count = 0;
    while (tree != NULL) {
        count += 1 + rbtree_len(tree->left);
        tree = tree->right;
    }
    return count;
}

/* ---- Deleting ---- */

/* Takes the leftmost node out; returns whether the tree lacks a black node now. */
static bool take_first(rbtree **tree, rbtree **first)
{
    rbtree *node = *tree;
    bool shorter = false;
    if (node->left == NULL) {
        *first = node;
        *tree = node->right;
        if (node->color == RED)
            return false;
        if (node->right == NULL)
            return true;
        assert(node->right->color == RED);
        node->right->color = BLACK;
        return false;
    }
    if (take_first(&node->left, first))
        FIX_DELETION(tree, left, right, shorter);
    return shorter;
}

/* Returns whether the tree lacks a black node now; `removed` is the element taken out, if there was one like `elem`. */
static bool delete_below(rbtree **tree, const rbtree *elem, rbtree **removed)
{
    rbtree *node = *tree;
    bool shorter = false;
    if (node == NULL) {
        *removed = NULL;
        return false;
    }
    int order = COMPARE(elem, node);
    if (order < 0) {
        if (delete_below(&node->left, elem, removed))
            FIX_DELETION(tree, left, right, shorter);
        return shorter;
    }
    if (order > 0) {
        if (delete_below(&node->right, elem, removed))
            FIX_DELETION(tree, right, left, shorter);
        return shorter;
    }
    *removed = node;
    if (node->right == NULL) {
        *tree = node->left;
        if (node->color == RED) {
            assert(node->left == NULL);
            return false;
        }
        if (node->left == NULL)
            return true;
        assert(node->left->color == RED);
        node->left->color = BLACK;
        return false;
    }
    if (node->left == NULL) {
        assert(node->color == BLACK && node->right->color == RED);
        *tree = node->right;
        node->right->color = BLACK;
        return false;
    }
    rbtree *next;
    bool bare = take_first(&node->right, &next);
    next->left = node->left;
    next->right = node->right;
    next->color = node->color;
    *tree = next;
    if (bare)
        FIX_DELETION(tree, right, left, shorter);
    return shorter;
}

bool rbtree_delete_if_member(rbtree **tree, const rbtree *elem, rbtree **removed)
{
    delete_below(tree, elem, removed);
    if (*tree != NULL)
        (*tree)->color = BLACK;
    return *removed != NULL;
}

/* ---- The rest of the library, which the driver does not use ---- */

struct rbtree_iterator {
    const rbtree *path[128];
    int depth;
};

static void go_left(struct rbtree_iterator *iterator, const rbtree *tree)
{
    for (; tree != NULL; tree = tree->left) {
        assert(iterator->depth < 128);
        iterator->path[iterator->depth++] = tree;
    }
}

void rbtree_begin(struct rbtree_iterator *iterator, const rbtree *tree)
{
    iterator->depth = 0;
    go_left(iterator, tree);
}

const rbtree *rbtree_next(struct rbtree_iterator *iterator)
{
    if (iterator->depth == 0)
        return NULL;
    const rbtree *current = iterator->path[--iterator->depth];
    go_left(iterator, current->right);
    return current;
}

void rbtree_map(rbtree *tree, void (*function)(rbtree *, void *), void *context)
{
    if (tree == NULL)
        return;
    rbtree_map(tree->left, function, context);
    function(tree, context);
    rbtree_map(tree->right, function, context);
}

rbtree *rbtree_first(rbtree *tree)
{
    if (tree == NULL)
        return NULL;
    while (tree->left != NULL)
        tree = tree->left;
    return tree;
}

rbtree *rbtree_last(rbtree *tree)
{
    if (tree == NULL)
        return NULL;
    while (tree->right != NULL)
        tree = tree->right;
    return tree;
}

/* The smallest element that is not less than the given one. */
rbtree *rbtree_at_least(rbtree *tree, const rbtree *elem)
{
    rbtree *best = NULL;
    while (tree != NULL) {
        if (COMPARE(elem, tree) <= 0) {
            best = tree;
            tree = tree->left;
        } else {
            tree = tree->right;
        }
    }
    return best;
}

/* The largest element that is not greater than the given one. */
rbtree *rbtree_at_most(rbtree *tree, const rbtree *elem)
{
    rbtree *best = NULL;
    while (tree != NULL) {
        if (COMPARE(elem, tree) >= 0) {
            best = tree;
            tree = tree->right;
        } else {
            tree = tree->left;
        }
    }
    return best;
}

int rbtree_count(const rbtree *tree, const rbtree *elem)
{
    int count = 0;
    while (tree != NULL) {
        int order = COMPARE(elem, tree);
        if (order < 0) {
            tree = tree->left;
        } else if (order > 0) {
            tree = tree->right;
        } else {
            count += 1 + rbtree_count(tree->left, elem);
            tree = tree->right;
        }
    }
    return count;
}

int rbtree_height(const rbtree *tree)
{
    if (tree == NULL)
        return 0;
    int left = rbtree_height(tree->left), right = rbtree_height(tree->right);
    return 1 + (left > right ? left : right);
}

/* Deletes all elements like the given one; how many there were. */
int rbtree_delete_all(rbtree **tree, const rbtree *elem, void (*release)(rbtree *))
{
    int count = 0;
    rbtree *removed;
    while (rbtree_delete_if_member(tree, elem, &removed)) {
        if (release != NULL)
            release(removed);
        count++;
    }
    return count;
}

/* Moves all elements of `from` that have none like them in `to`; returns those that are left. */
rbtree *rbtree_unite(rbtree **to, rbtree *from)
{
    rbtree *left_over = NULL;
    while (from != NULL) {
        rbtree *moved, *member;
        rbtree_delete_if_member(&from, from, &moved);
        if (!rbtree_add_if_not_member(to, moved, &member))
            rbtree_add(&left_over, moved);
    }
    return left_over;
}

bool rbtree_equal(const rbtree *one, const rbtree *other)
{
    struct rbtree_iterator first, second;
    rbtree_begin(&first, one);
    rbtree_begin(&second, other);
    for (;;) {
        const rbtree *a = rbtree_next(&first), *b = rbtree_next(&second);
        if (a == NULL || b == NULL)
            return a == b;
        if (COMPARE(a, b) != 0)
            return false;
    }
}

void rbtree_clear(rbtree **tree, void (*release)(rbtree *))
{
    if (*tree == NULL)
        return;
    rbtree_clear(&(*tree)->left, release);
    rbtree_clear(&(*tree)->right, release);
    if (release != NULL)
        release(*tree);
    *tree = NULL;
}

/* The number of black nodes on every way down, or -1 if this is no red-black tree. */
int rbtree_black_height(const rbtree *tree)
{
    if (tree == NULL)
        return 0;
    if (tree->color == RED && (IS_RED(tree->left) || IS_RED(tree->right)))
        return -1;
    if (tree->left != NULL && COMPARE(tree->left, tree) > 0)
        return -1;
    if (tree->right != NULL && COMPARE(tree->right, tree) < 0)
        return -1;
    int left = rbtree_black_height(tree->left), right = rbtree_black_height(tree->right);
    if (left < 0 || left != right)
        return -1;
    return left + (tree->color == BLACK);
}

/* ---- The driver ---- */

static rbtree *element(void)
{
    rbtree *elem = malloc(sizeof *elem);
    if (elem == NULL)
        exit(1);
    untaken_input_int(&elem->i, "i");
    return elem;
}

int main(void)
{
    int toss;
    rbtree *elem, *tmp, *root = NULL;
    for (;;) {
        untaken_int(&toss);
        if (toss < 0)
            toss = -(unsigned)toss;
        toss = toss % 5;
        switch (toss) {
        case 1:
            rbtree_len(root);
            break;
        case 2:
            elem = element();
            if (!rbtree_add_if_not_member(&root, elem, &tmp))
                free(elem);
            break;
        case 3:
            elem = element();
            if (rbtree_delete_if_member(&root, elem, &tmp))
                free(tmp);
            free(elem);
            break;
        case 4:
            elem = element();
            rbtree_find_member(root, elem);
            free(elem);
            break;
        default:
            elem = element();
            rbtree_add(&root, elem);
        }
    }
}
