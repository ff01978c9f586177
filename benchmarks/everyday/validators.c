// Each line names what it holds and is checked: `date 2024-02-29`, `time 23:59:60`, `ip 10.0.0.1`, `mac`, `luhn`, `email`.
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int is_leap(int year)
{
    return (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
}

static int check_date(const char *text)
{
    static const int days[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    int year, month, day, used = 0;
    if (sscanf(text, "%4d-%2d-%2d%n", &year, &month, &day, &used) != 3 || text[used])
        return 0;
    if (year < 1583 || month < 1 || month > 12 || day < 1)
        return 0;
    if (month == 2 && day == 29)
        return is_leap(year);
    return day <= days[month - 1];
}

static int check_time(const char *text)
{
    int part[3];
    for (int i = 0; i < 3; i++) {
        if (!isdigit((unsigned char)text[0]) || !isdigit((unsigned char)text[1]))
            return 0;
        part[i] = (text[0] - '0') * 10 + (text[1] - '0');
        text += 2;
        if (i < 2 && *text++ != ':')
            return 0;
    }
    if (*text == 'Z')
        text++;
    if (*text)
        return 0;
    if (part[2] == 60)
        return part[0] == 23 && part[1] == 59;
    return part[0] < 24 && part[1] < 60 && part[2] < 60;
}

static int check_ip(char *text)
{
    int count = 0;
    unsigned long address = 0;
    for (char *part = strtok(text, "."); part; part = strtok(NULL, ".")) {
        if (++count > 4 || strlen(part) > 3)
            return 0;
        for (char *c = part; *c; c++)
            if (!isdigit((unsigned char)*c))
                return 0;
        int value = atoi(part);
        if (value > 255 || (part[0] == '0' && part[1]))
            return 0;
        address = address << 8 | (unsigned long)value;
    }
    if (count != 4)
        return 0;
    if (address >> 24 == 127)
        puts("loopback");
    else if (address >> 24 == 10 || address >> 20 == 0xac1 || address >> 16 == 0xc0a8)
        puts("private");
    else if (address == 0xffffffff)
        puts("broadcast");
    return 1;
}

static int check_luhn(const char *text)
{
    int sum = 0, digits = 0;
    size_t length = strlen(text);
    for (size_t i = 0; i < length; i++) {
        char c = text[length - 1 - i];
        if (c == ' ' || c == '-')
            continue;
        if (!isdigit((unsigned char)c))
            return 0;
        int digit = c - '0';
        if (digits % 2 == 1) {
            digit *= 2;
            if (digit > 9)
                digit -= 9;
        }
        sum += digit;
        digits++;
    }
    if (digits < 8)
        return 0;
    return sum % 10 == 0;
}

static int check_email(const char *text)
{
    const char *sign = strchr(text, '@'), *dot = strrchr(text, '.');
    if (!sign || sign == text || !dot || dot < sign + 2 || strlen(dot) < 3)
        return 0;
    if (strchr(sign + 1, '@'))
        return 0;
    for (const char *c = text; *c; c++)
        if (!isalnum((unsigned char)*c) && !strchr("@._-+", *c))
            return 0;
    return 1;
}

int main(void)
{
    char line[48];
    int good = 0, bad = 0;
    while (fgets(line, sizeof line, stdin)) {
        line[strcspn(line, "\n")] = '\0';
        char *value = strchr(line, ' ');
        if (!value)
            continue;
        *value++ = '\0';
        int result;
        if (strcmp(line, "date") == 0)
            result = check_date(value);
        else if (strcmp(line, "time") == 0)
            result = check_time(value);
        else if (strcmp(line, "ip") == 0)
            result = check_ip(value);
        else if (strcmp(line, "luhn") == 0)
            result = check_luhn(value);
        else if (strcmp(line, "email") == 0)
            result = check_email(value);
        else
            result = -1;
        if (result < 0)
            puts("unknown kind");
        else if (result)
            good++;
        else
            bad++;
    }
    if (good > bad && bad > 0)
        puts("mostly good");
    return bad > 0;
}
