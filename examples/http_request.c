// A small web server's side of one request: reads it from stdin, answers on stdout. One answer is wrong.
//
// shows: a parser that random inputs do not get into, and a mistake deep inside; `make demo` runs this one
// run: untaken run examples/http_request.c --stdin 64
// expect: findings=1 args="--stdin 64"
//
//     GET /news HTTP/1.1
//     Host: here
//     Range: bytes=4-9
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_INPUT = 512, LONGEST_TARGET = 24, MOST_HEADERS = 8 };

enum method { GET, HEAD, PUT, DELETE };

struct range {
    int wanted;
    int suffix; // "-5": the last five bytes
    long first, last;
};

struct request {
    enum method method;
    char target[LONGEST_TARGET + 1];
    int version; // of HTTP/1
    int has_host, keep_alive;
    long length;      // of the body that follows; -1: not said
    char known[9];    // If-None-Match: what the client has already
    struct range range;
};

struct document {
    const char *path, *tag, *text;
};

static const struct document documents[] = {
    {"/", "a1", "Welcome."},
    {"/news", "b7", "Nothing has happened since yesterday."},
    {"/about", "c3", "One page, three documents, no pictures."},
};

static const char *at;

static int answer(int status, const char *why)
{
    printf("HTTP/1.1 %d %s\n", status, why);
    return status;
}

// ---- Reading

static int accept(const char *word)
{
    size_t length = strlen(word);
    if (strncmp(at, word, length) != 0)
        return 0;
    at += length;
    return 1;
}

static int end_of_line(void) { return accept("\r\n") || accept("\n"); }

static void skip_line(void)
{
    while (*at && *at != '\n')
        at++;
    if (*at)
        at++;
}

// A number of up to six digits; -1 if there is none.
static long number(void)
{
    long value = 0;
    int digits = 0;
    while (*at >= '0' && *at <= '9') {
        if (++digits > 6)
            return -1;
        value = value * 10 + (*at++ - '0');
    }
    return digits ? value : -1;
}

static int hexadecimal(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    if (c >= 'a' && c <= 'f')
        return c - 'a' + 10;
    if (c >= 'A' && c <= 'F')
        return c - 'A' + 10;
    return -1;
}

static int read_method(struct request *request)
{
    if (accept("GET "))
        request->method = GET;
    else if (accept("HEAD "))
        request->method = HEAD;
    else if (accept("PUT "))
        request->method = PUT;
    else if (accept("DELETE "))
        request->method = DELETE;
    else
        return answer(501, "Not Implemented");
    return 0;
}

static int read_target(struct request *request)
{
    int length = 0;
    if (*at != '/')
        return answer(400, "Bad Request");
    while (*at > ' ') {
        int c = (unsigned char)*at++;
        if (c == '%') {
            int high = hexadecimal(at[0]), low = high < 0 ? -1 : hexadecimal(at[1]);
            if (low < 0)
                return answer(400, "Bad Request");
            c = high * 16 + low;
            at += 2;
        }
        if (length == LONGEST_TARGET)
            return answer(414, "URI Too Long");
        request->target[length++] = (char)c;
    }
    request->target[length] = '\0';
    if (strstr(request->target, ".."))
        return answer(403, "Forbidden");
    return 0;
}

static int read_version(struct request *request)
{
    if (!accept(" HTTP/1."))
        return answer(505, "HTTP Version Not Supported");
    if (*at != '0' && *at != '1')
        return answer(505, "HTTP Version Not Supported");
    request->version = *at++ - '0';
    request->keep_alive = request->version == 1;
    return end_of_line() ? 0 : answer(400, "Bad Request");
}

// "bytes=2-5", "bytes=2-" or "bytes=-5"; anything else is as if it were not there.
static void read_range(struct range *range)
{
    if (!accept("bytes="))
        return;
    range->first = number();
    if (!accept("-"))
        return;
    range->last = number();
    range->suffix = range->first < 0;
    range->wanted = range->first >= 0 || range->last > 0;
}

static void read_known(struct request *request)
{
    size_t length = 0;
    if (!accept("\""))
        return;
    while (*at && *at != '"' && *at != '\n' && length + 1 < sizeof request->known)
        request->known[length++] = *at++;
    request->known[length] = '\0';
}

static int read_headers(struct request *request)
{
    int count = 0;
    while (*at && !end_of_line()) {
        if (++count > MOST_HEADERS)
            return answer(431, "Request Header Fields Too Large");
        if (accept("Host: "))
            request->has_host = *at > ' ';
        else if (accept("Range: "))
            read_range(&request->range);
        else if (accept("Content-Length: "))
            request->length = number();
        else if (accept("If-None-Match: "))
            read_known(request);
        else if (accept("Connection: close"))
            request->keep_alive = 0;
        skip_line();
    }
    if (request->version == 1 && !request->has_host)
        return answer(400, "Bad Request");
    return 0;
}

// ---- Answering

static const struct document *find(const char *path)
{
    for (size_t i = 0; i < sizeof documents / sizeof *documents; i++)
        if (strcmp(documents[i].path, path) == 0)
            return &documents[i];
    return NULL;
}

static void send_part(const struct document *document, long first, long last)
{
    assert(first >= 0 && last < (long)strlen(document->text));
    printf("%.*s\n", (int)(last - first + 1), document->text + first);
}

static int send_range(const struct document *document, const struct range *range)
{
    long size = (long)strlen(document->text), first = range->first, last = range->last;
    if (range->suffix) {
        first = size - range->last; // more than there is was never asked for
        last = size - 1;
    } else if (last < 0 || last >= size)
        last = size - 1;
    if (first > last)
        return answer(416, "Range Not Satisfiable");
    answer(206, "Partial Content");
    send_part(document, first, last);
    return 206;
}

static int send(const struct request *request, const struct document *document)
{
    if (strcmp(request->known, document->tag) == 0)
        return answer(304, "Not Modified");
    if (request->range.wanted && request->method == GET)
        return send_range(document, &request->range);
    answer(200, "OK");
    if (request->method == GET)
        send_part(document, 0, (long)strlen(document->text) - 1);
    return 200;
}

static int respond(const struct request *request)
{
    const struct document *document = find(request->target);
    if (request->method == PUT) {
        if (request->length < 0)
            return answer(411, "Length Required");
        return document ? answer(204, "No Content") : answer(201, "Created");
    }
    if (!document)
        return answer(404, "Not Found");
    if (request->method == DELETE)
        return answer(405, "Method Not Allowed");
    return send(request, document);
}

int main(void)
{
    static char text[MOST_INPUT + 1];
    struct request request = {.length = -1};
    size_t length = fread(text, 1, MOST_INPUT, stdin);
    text[length] = '\0';
    at = text;
    int failed = read_method(&request);
    if (!failed)
        failed = read_target(&request);
    if (!failed)
        failed = read_version(&request);
    if (!failed)
        failed = read_headers(&request);
    if (!failed)
        failed = respond(&request) >= 400;
    if (request.keep_alive)
        puts("(the connection stays open)");
    return failed != 0;
}
