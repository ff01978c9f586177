// A parser: JSON by recursive descent, its numbers and strings hashed.
// bench: rounds=600000 stdin=512 data=json
#include "workload.h"

struct parser {
    const unsigned char *at, *end;
    uint32_t hash;
    int depth;
};

static int value(struct parser *p);

static void mix(struct parser *p, uint32_t what) { p->hash = (p->hash ^ what) * 16777619u; }

static void space(struct parser *p)
{
    while (p->at < p->end && (*p->at == ' ' || *p->at == '\n' || *p->at == '\t' || *p->at == '\r'))
        p->at++;
}

static int accept(struct parser *p, char c)
{
    space(p);
    if (p->at == p->end || *p->at != (unsigned char)c)
        return 0;
    p->at++;
    return 1;
}

static int word(struct parser *p, const char *text)
{
    for (; *text; text++, p->at++)
        if (p->at == p->end || *p->at != (unsigned char)*text)
            return 0;
    mix(p, 1);
    return 1;
}

static int digits(struct parser *p, uint32_t *number)
{
    const unsigned char *start = p->at;
    for (; p->at < p->end && *p->at >= '0' && *p->at <= '9'; p->at++)
        *number = *number * 10 + (*p->at - '0');
    return p->at > start;
}

static int number(struct parser *p)
{
    uint32_t whole = 0, fraction = 0;
    int negative = accept(p, '-');
    if (!digits(p, &whole))
        return 0;
    if (p->at < p->end && *p->at == '.') {
        p->at++;
        if (!digits(p, &fraction))
            return 0;
    }
    mix(p, negative ? ~whole : whole);
    mix(p, fraction);
    return 1;
}

static int escape(struct parser *p)
{
    if (p->at == p->end)
        return 0;
    switch (*p->at++) {
    case 'n': mix(p, '\n'); return 1;
    case 't': mix(p, '\t'); return 1;
    case '"':
    case '\\':
    case '/': mix(p, p->at[-1]); return 1;
    default: return 0;
    }
}

static int string(struct parser *p)
{
    while (p->at < p->end && *p->at != '"') {
        unsigned char c = *p->at++;
        if (c < 32 || (c == '\\' && !escape(p)))
            return 0;
        mix(p, c);
    }
    return p->at < p->end && *p->at++ == '"';
}

static int array(struct parser *p)
{
    if (accept(p, ']'))
        return 1;
    do
        if (!value(p))
            return 0;
    while (accept(p, ','));
    return accept(p, ']');
}

static int object(struct parser *p)
{
    if (accept(p, '}'))
        return 1;
    do
        if (!accept(p, '"') || !string(p) || !accept(p, ':') || !value(p))
            return 0;
    while (accept(p, ','));
    return accept(p, '}');
}

static int value(struct parser *p)
{
    int good;
    space(p);
    if (p->at == p->end || ++p->depth > 64)
        return 0;
    switch (*p->at) {
    case '{': p->at++; good = object(p); break;
    case '[': p->at++; good = array(p); break;
    case '"': p->at++; good = string(p); break;
    case 't': good = word(p, "true"); break;
    case 'f': good = word(p, "false"); break;
    case 'n': good = word(p, "null"); break;
    default: good = number(p);
    }
    p->depth--;
    return good;
}

static uint32_t work(const unsigned char *data, size_t size, uint32_t seed)
{
    struct parser parser = {data, data + size, seed, 0};
    return value(&parser) ? parser.hash : (uint32_t)(parser.at - data);
}
