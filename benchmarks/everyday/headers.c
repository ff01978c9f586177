// Reads a response: a status line, headers in any case of letters, and a body by length or in chunks.
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

struct response {
    int version, status;
    long length;
    int chunked, close, gzip;
    int cookies;
};

static char *next_line(char **at)
{
    char *line = *at, *end = strchr(line, '\n');
    if (!end)
        return NULL;
    *at = end + 1;
    *end = '\0';
    if (end > line && end[-1] == '\r')
        end[-1] = '\0';
    return line;
}

static int parse_status(const char *line, struct response *response)
{
    if (strncmp(line, "HTTP/1.", 7) != 0)
        return -1;
    if (line[7] != '0' && line[7] != '1')
        return -1;
    response->version = line[7] - '0';
    if (line[8] != ' ')
        return -1;
    if (!isdigit((unsigned char)line[9]) || !isdigit((unsigned char)line[10]) || !isdigit((unsigned char)line[11]))
        return -1;
    response->status = atoi(line + 9);
    return response->status >= 100 && response->status < 600 ? 0 : -1;
}

static int parse_header(char *line, struct response *response)
{
    char *colon = strchr(line, ':');
    if (!colon || colon == line)
        return -1;
    *colon = '\0';
    char *value = colon + 1;
    while (*value == ' ' || *value == '\t')
        value++;
    if (strcasecmp(line, "Content-Length") == 0) {
        char *end;
        if (response->length >= 0)
            return -2;
        response->length = strtol(value, &end, 10);
        if (*end || end == value || response->length < 0)
            return -3;
    } else if (strcasecmp(line, "Transfer-Encoding") == 0) {
        if (strcasecmp(value, "chunked") != 0)
            return -4;
        response->chunked = 1;
    } else if (strcasecmp(line, "Connection") == 0) {
        response->close = strcasecmp(value, "close") == 0;
    } else if (strcasecmp(line, "Set-Cookie") == 0) {
        if (!strchr(value, '='))
            return -5;
        response->cookies++;
    }
    return 0;
}

static int read_chunks(char *at)
{
    int total = 0;
    for (;;) {
        char *line = next_line(&at), *end;
        if (!line)
            return -1;
        long size = strtol(line, &end, 16);
        if (end == line || (*end && *end != ';'))
            return -2;
        if (size == 0)
            return total;
        if (size < 0 || size > (long)strlen(at))
            return -3;
        at += size;
        total += (int)size;
        line = next_line(&at);
        if (!line || *line)
            return -4;
    }
}

int main(void)
{
    static char text[256];
    text[fread(text, 1, sizeof text - 1, stdin)] = '\0';
    char *at = text, *line = next_line(&at);
    struct response response = {.length = -1};
    if (!line || parse_status(line, &response) < 0) {
        puts("bad status line");
        return 1;
    }
    while ((line = next_line(&at)) && *line) {
        int error = parse_header(line, &response);
        if (error) {
            printf("bad header: %d\n", error);
            return 2;
        }
    }
    if (!line) {
        puts("headers do not end");
        return 3;
    }
    if (response.status == 204 || response.status == 304 || response.status < 200) {
        if (*at)
            puts("unexpected body");
        return 0;
    }
    if (response.chunked) {
        int total = read_chunks(at);
        if (total < 0)
            printf("bad chunk: %d\n", total);
        else
            printf("%d bytes in chunks\n", total);
    } else if (response.length >= 0) {
        if ((long)strlen(at) < response.length)
            puts("body is too short");
        else
            printf("%.*s\n", (int)response.length, at);
    } else if (response.close || response.version == 0)
        printf("%s\n", at);
    else
        puts("no length");
    if (response.cookies > 1)
        puts("several cookies");
    if (response.status >= 300 && response.status < 400)
        puts("moved");
    else if (response.status >= 500)
        puts("server error");
    return 0;
}
