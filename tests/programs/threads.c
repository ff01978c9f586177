// checks: threads, each with its own arguments and locals; joined in order, so that the output is fixed
// flags: -pthread
#include "collection.h"
#include <pthread.h>

struct job {
    const unsigned char *from;
    int count;
    uint32_t sum;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static unsigned done, total;

static uint32_t mix(uint32_t hash, unsigned char byte) { return (hash ^ byte) * 16777619u; }

static void *work(void *argument)
{
    struct job *job = argument;
    uint32_t hash = 2166136261u;
    for (int i = 0; i < job->count; i++)
        hash = job->from[i] & 1 ? mix(hash, job->from[i]) : mix(hash, 0x55);
    job->sum = hash;
    pthread_mutex_lock(&lock);
    done++;
    total += hash & 0xff;
    pthread_mutex_unlock(&lock);
    return (void *)(uintptr_t)(hash & 0xffff);
}

static void *chain(void *argument)
{
    uintptr_t left = (uintptr_t)argument;
    if (left == 0)
        return NULL;
    pthread_t next;
    void *result;
    if (pthread_create(&next, NULL, chain, (void *)(left - 1)) || pthread_join(next, &result))
        abort();
    return (void *)((uintptr_t)result + left);
}

int main(void)
{
    read_input();
    pthread_t threads[4];
    struct job jobs[4];
    for (int i = 0; i < 4; i++) {
        jobs[i] = (struct job){input + i * 8, u8(40u + (unsigned)i) & 7, 0};
        if (pthread_create(&threads[i], NULL, work, &jobs[i]))
            abort();
    }
    for (int i = 0; i < 4; i++) {
        void *result;
        pthread_join(threads[i], &result);
        show("result", (long long)(uintptr_t)result);
        show("sum", jobs[i].sum);
    }
    expect(done == 4);
    show("total", total);
    show("chain", (long long)(uintptr_t)chain((void *)(uintptr_t)(u8(44) & 3)));
    return finish();
}
