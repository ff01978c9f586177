// Reads a graph (`nodes edges`, then one edge a line with its weight) and looks for the shortest way and for circles.
#include <limits.h>
#include <stdio.h>
#include <string.h>

#define MAX 8

static int weight[MAX][MAX];
static int state[MAX];

static int has_circle(int from, int nodes)
{
    state[from] = 1;
    for (int to = 0; to < nodes; to++) {
        if (!weight[from][to])
            continue;
        if (state[to] == 1)
            return 1;
        if (state[to] == 0 && has_circle(to, nodes))
            return 1;
    }
    state[from] = 2;
    return 0;
}

static int shortest(int nodes, int from, int to)
{
    int distance[MAX], done[MAX] = {0};
    for (int i = 0; i < nodes; i++)
        distance[i] = INT_MAX;
    distance[from] = 0;
    for (;;) {
        int best = -1;
        for (int i = 0; i < nodes; i++)
            if (!done[i] && distance[i] != INT_MAX && (best < 0 || distance[i] < distance[best]))
                best = i;
        if (best < 0)
            return -1;
        if (best == to)
            return distance[to];
        done[best] = 1;
        for (int i = 0; i < nodes; i++)
            if (weight[best][i] && distance[best] + weight[best][i] < distance[i])
                distance[i] = distance[best] + weight[best][i];
    }
}

int main(void)
{
    int nodes, edges;
    if (scanf("%d %d", &nodes, &edges) != 2) {
        puts("no header");
        return 1;
    }
    if (nodes < 1 || nodes > MAX || edges < 0 || edges > MAX * MAX) {
        puts("bad size");
        return 1;
    }
    int degree[MAX] = {0}, total = 0;
    for (int i = 0; i < edges; i++) {
        int from, to, cost;
        if (scanf("%d %d %d", &from, &to, &cost) != 3) {
            puts("edge missing");
            return 2;
        }
        if (from < 0 || from >= nodes || to < 0 || to >= nodes) {
            puts("no such node");
            return 2;
        }
        if (cost <= 0) {
            puts("bad weight");
            return 2;
        }
        if (from == to) {
            puts("loop ignored");
            continue;
        }
        if (weight[from][to])
            puts("edge given twice");
        weight[from][to] = cost;
        degree[from]++;
        degree[to]++;
        total += cost;
    }
    int circle = 0, odd = 0;
    for (int i = 0; i < nodes; i++) {
        if (state[i] == 0 && has_circle(i, nodes))
            circle = 1;
        if (degree[i] % 2)
            odd++;
        if (degree[i] == 0 && nodes > 1)
            printf("node %d stands alone\n", i);
    }
    if (circle)
        puts("has a circle");
    if (odd == 0 && total > 0)
        puts("can be walked round");
    else if (odd == 2)
        puts("can be walked through");
    int length = shortest(nodes, 0, nodes - 1);
    if (length < 0)
        puts("no way");
    else if (length == 0)
        puts("already there");
    else if (length < total / 2)
        puts("there is a short cut");
    return 0;
}
