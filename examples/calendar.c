// Dates: typed inputs one by one, an assumption about one of them, and leap years to get wrong.
//
// shows: untaken.h with a type for each input, untaken_assume, 64-bit arithmetic
// run: untaken run examples/calendar.c
// expect: branches=26/26 findings=1 args=""
#include <assert.h>
#include <stdint.h>
#include <stdio.h>
#include <untaken.h>

static int is_leap(int year) { return year % 4 == 0 && (year % 100 != 0 || year % 400 == 0); }

static int days_in(int year, int month)
{
    static const int days[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    return days[month - 1] + (month == 2 && is_leap(year));
}

/* The old program that this is to replace: it forgot about the centuries. */
static int old_days_in(int year, int month) { return month == 2 ? 28 + (year % 4 == 0) : days_in(year, month); }

int main(void)
{
    short year;
    unsigned char month, day;
    long long seconds;
    untaken_short(&year);
    untaken_uchar(&month);
    untaken_uchar(&day);
    untaken_longlong(&seconds);
    untaken_assume(year >= 1900);

    if (month < 1 || month > 12 || day < 1 || day > days_in(year, month)) {
        puts("no such day");
        return 1;
    }
    if (seconds / 86400 == 19782 && seconds % 86400 == 43200)
        puts("noon of the leap day");
    assert(old_days_in(year, month) == days_in(year, month));
    return 0;
}
