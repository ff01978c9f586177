// A session of a small mail protocol: commands in lines, and what each may do depends on those before it.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum phase { NEW, GREETED, KNOWN, SENDER, RECEIVER, BODY };

static enum phase phase = NEW;
static int recipients, tries, lines, secure, size_limit = 3;
static char sender[12];

static void answer(int code, const char *text) { printf("%d %s\r\n", code, text); }

static void begin(const char *argument)
{
    if (!*argument) {
        answer(501, "who?");
        return;
    }
    phase = GREETED;
    recipients = 0;
    answer(250, "hello");
}

static void login(const char *argument)
{
    if (phase < GREETED)
        answer(503, "greet first");
    else if (!secure)
        answer(530, "secure first");
    else if (strcmp(argument, "me") == 0) {
        phase = KNOWN;
        answer(235, "welcome");
    } else if (++tries == 2) {
        answer(421, "too often");
        exit(3);
    } else
        answer(535, "no");
}

static void from(const char *argument)
{
    if (phase < KNOWN)
        answer(530, "log in first");
    else if (phase > KNOWN)
        answer(503, "sender is known");
    else if (strlen(argument) >= sizeof sender)
        answer(552, "too long");
    else {
        strcpy(sender, argument);
        phase = SENDER;
        answer(250, "ok");
    }
}

static void to(const char *argument)
{
    if (phase != SENDER && phase != RECEIVER)
        answer(503, "from whom?");
    else if (recipients == 3)
        answer(452, "enough");
    else if (strcmp(argument, sender) == 0 && *argument)
        answer(550, "to yourself?");
    else {
        recipients++;
        phase = RECEIVER;
        answer(250, "ok");
    }
}

static void body_line(const char *line)
{
    if (strcmp(line, ".") == 0) {
        answer(250, recipients > 1 ? "sent to many" : "sent");
        phase = KNOWN;
        if (lines == 0)
            answer(250, "an empty one");
    } else if (++lines > size_limit) {
        answer(552, "too large");
        phase = KNOWN;
    }
}

static void command(char *line)
{
    char *argument = strchr(line, ' ');
    if (argument)
        *argument++ = 0;
    else
        argument = line + strlen(line);
    if (strcmp(line, "HI") == 0)
        begin(argument);
    else if (strcmp(line, "TLS") == 0) {
        if (phase == NEW)
            answer(503, "greet first");
        else if (secure)
            answer(503, "it is");
        else {
            secure = 1;
            phase = NEW;
            answer(220, "go on");
        }
    } else if (strcmp(line, "LOG") == 0)
        login(argument);
    else if (strcmp(line, "FR") == 0)
        from(argument);
    else if (strcmp(line, "TO") == 0)
        to(argument);
    else if (strcmp(line, "DATA") == 0) {
        if (phase != RECEIVER)
            answer(503, "to whom?");
        else {
            phase = BODY;
            lines = 0;
            answer(354, "end with a dot");
        }
    } else if (strcmp(line, "RST") == 0) {
        if (phase > KNOWN)
            phase = KNOWN;
        recipients = 0;
        answer(250, "ok");
    } else if (strcmp(line, "BYE") == 0) {
        answer(221, "bye");
        exit(phase == KNOWN ? 0 : 2);
    } else
        answer(500, "what?");
}

int main(void)
{
    char line[80];
    while (fgets(line, sizeof line, stdin)) {
        line[strcspn(line, "\r\n")] = 0;
        if (phase == BODY)
            body_line(line);
        else
            command(line);
    }
    return 1;
}
