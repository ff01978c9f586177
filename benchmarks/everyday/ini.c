// Reads settings in sections from standard input and checks them.
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct server {
    int port;
    int tls;
    char host[32];
};

struct config {
    struct server server;
    int log_level;
    int log_to_file;
    int max_users;
    double ratio;
};

static char *trim(char *text)
{
    while (isspace((unsigned char)*text))
        text++;
    char *end = text + strlen(text);
    while (end > text && isspace((unsigned char)end[-1]))
        end--;
    *end = '\0';
    return text;
}

static int parse_bool(const char *value, int *out)
{
    if (strcmp(value, "yes") == 0 || strcmp(value, "true") == 0 || strcmp(value, "on") == 0) {
        *out = 1;
        return 0;
    }
    if (strcmp(value, "no") == 0 || strcmp(value, "false") == 0 || strcmp(value, "off") == 0) {
        *out = 0;
        return 0;
    }
    return -1;
}

static int set_server(struct config *config, const char *key, const char *value)
{
    if (strcmp(key, "port") == 0) {
        config->server.port = atoi(value);
        if (config->server.port < 1 || config->server.port > 65535)
            return -1;
        return 0;
    }
    if (strcmp(key, "tls") == 0)
        return parse_bool(value, &config->server.tls);
    if (strcmp(key, "host") == 0) {
        if (strlen(value) >= sizeof config->server.host)
            return -1;
        strcpy(config->server.host, value);
        return 0;
    }
    return -2;
}

static int set_log(struct config *config, const char *key, const char *value)
{
    if (strcmp(key, "level") == 0) {
        if (strcmp(value, "debug") == 0)
            config->log_level = 3;
        else if (strcmp(value, "info") == 0)
            config->log_level = 2;
        else if (strcmp(value, "error") == 0)
            config->log_level = 1;
        else
            return -1;
        return 0;
    }
    if (strcmp(key, "file") == 0)
        return parse_bool(value, &config->log_to_file);
    return -2;
}

static int set_limits(struct config *config, const char *key, const char *value)
{
    char *end;
    if (strcmp(key, "users") == 0) {
        long n = strtol(value, &end, 10);
        if (*end != '\0' || end == value || n < 0)
            return -1;
        config->max_users = (int)n;
        return 0;
    }
    return -2;
}

int main(void)
{
    struct config config = {.max_users = 10};
    char line[128], section[32] = "";
    int number = 0, errors = 0;
    while (fgets(line, sizeof line, stdin)) {
        number++;
        char *text = trim(line);
        if (*text == '\0' || *text == ';' || *text == '#')
            continue;
        if (*text == '[') {
            char *close = strchr(text, ']');
            if (!close || close[1] != '\0' || close - text - 1 >= (long)sizeof section) {
                fprintf(stderr, "line %d: bad section\n", number);
                errors++;
                continue;
            }
            *close = '\0';
            strcpy(section, text + 1);
            continue;
        }
        char *equals = strchr(text, '=');
        if (!equals) {
            fprintf(stderr, "line %d: no value\n", number);
            errors++;
            continue;
        }
        *equals = '\0';
        char *key = trim(text), *value = trim(equals + 1);
        int result;
        if (strcmp(section, "server") == 0)
            result = set_server(&config, key, value);
        else if (strcmp(section, "log") == 0)
            result = set_log(&config, key, value);
        else if (strcmp(section, "limits") == 0)
            result = set_limits(&config, key, value);
        else
            result = -3;
        if (result == -1)
            fprintf(stderr, "line %d: bad value\n", number);
        else if (result == -2)
            fprintf(stderr, "line %d: unknown key\n", number);
        else if (result == -3)
            fprintf(stderr, "line %d: unknown section\n", number);
        errors += result != 0;
    }
    if (config.server.tls && config.server.port == 80)
        puts("warning: tls on port 80");
    if (config.log_level == 3 && config.log_to_file)
        puts("warning: much will be written");
    if (config.max_users > 1000)
        puts("warning: many users");
    return errors ? 1 : 0;
}
