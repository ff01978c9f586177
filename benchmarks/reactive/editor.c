/* A modal line editor in the manner of vi, which reads keys from standard input and draws nothing. It has a command
 * mode, an insert mode, a replace mode, a command line behind ':', and searches behind '/' and '?'.
 *
 * untaken run benchmarks/reactive/editor.c --stdin 4000 --strategy hybrid
 *
 * A key is a code of 16 bits, the lower byte first, as the window system of a terminal would send it: characters have
 * their ASCII codes, arrows and the like have codes of their own, and what is neither is no key of this keyboard.
 * As in a real editor, most of it can be reached only in the right state (a text that has lines, a mark that is set,
 * something in the register) and then by a certain few keys in a row.
 */
#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST_LINES 120
#define WIDTH 72
#define COMMAND_WIDTH 40
#define MARKS 26
#define NO_KEY (-1)
#define ESCAPE 27
#define BACKSPACE 8
#define DELETE 127

enum special_key { UP = 0x1052, DOWN = 0x1054, LEFT = 0x1051, RIGHT = 0x1053, HOME = 0x1050, END = 0x1057 };

enum mode { COMMAND, INSERT, REPLACE };

struct text {
    int count;
    int length[MOST_LINES];
    char line[MOST_LINES][WIDTH];
};

struct place {
    int row, column;
};

struct options {
    bool number, ignore_case, wrap_scan, auto_indent, list;
    int tab_stop, shift_width;
};

struct editor {
    enum mode mode;
    struct text text;
    struct text before; /* for undo */
    bool can_undo;
    struct place cursor;
    struct place marks[MARKS];
    bool marked[MARKS];
    struct text pasted; /* the register; whole lines, or a part of one */
    bool pasted_lines;
    char pattern[COMMAND_WIDTH];
    bool backwards;
    int found_key; /* of the last f, F, t or T */
    char found_character;
    struct options options;
    bool changed, leaving;
    int messages;
};

/* ---- Keys ---- */

static int pushed = NO_KEY;

static int next_key(void)
{
    unsigned char code[2];
    int key = pushed;
    pushed = NO_KEY;
    if (key != NO_KEY)
        return key;
    return fread(code, sizeof code, 1, stdin) == 1 ? code[0] | code[1] << 8 : EOF;
}

static bool is_digit(int key)
{
    return key >= '0' && key <= '9';
}

static bool is_lower(int key)
{
    return key >= 'a' && key <= 'z';
}

static bool is_printable(int key)
{
    return key >= ' ' && key < DELETE;
}

static void push_back(int key)
{
    pushed = key;
}

/* ---- Text ---- */

static bool insert_row(struct text *text, int row)
{
    if (text->count == MOST_LINES || row < 0 || row > text->count)
        return false;
    for (int other = text->count; other > row; other--) {
        memcpy(text->line[other], text->line[other - 1], WIDTH);
        text->length[other] = text->length[other - 1];
    }
    text->length[row] = 0;
    text->count++;
    return true;
}

static void delete_rows(struct text *text, int first, int count)
{
    if (first + count > text->count)
        count = text->count - first;
    for (int row = first; row + count < text->count; row++) {
        memcpy(text->line[row], text->line[row + count], WIDTH);
        text->length[row] = text->length[row + count];
    }
    text->count -= count;
    if (text->count == 0) {
        text->count = 1;
        text->length[0] = 0;
    }
}

static bool insert_character(struct text *text, struct place at, char character)
{
    int length = text->length[at.row];
    if (length == WIDTH || at.column > length)
        return false;
    memmove(&text->line[at.row][at.column + 1], &text->line[at.row][at.column], (size_t)(length - at.column));
    text->line[at.row][at.column] = character;
    text->length[at.row]++;
    return true;
}

static void delete_characters(struct text *text, struct place at, int count)
{
    int length = text->length[at.row];
    if (at.column + count > length)
        count = length - at.column;
    if (count <= 0)
        return;
    memmove(&text->line[at.row][at.column], &text->line[at.row][at.column + count],
            (size_t)(length - at.column - count));
    text->length[at.row] -= count;
}

static int indent_of(const struct text *text, int row)
{
    int column = 0;
    while (column < text->length[row] && (text->line[row][column] == ' ' || text->line[row][column] == '\t'))
        column++;
    return column;
}

/* ---- The cursor ---- */

static int length_here(const struct editor *editor)
{
    return editor->text.length[editor->cursor.row];
}

static char character_at(const struct editor *editor, struct place at)
{
    return at.column < editor->text.length[at.row] ? editor->text.line[at.row][at.column] : '\n';
}

static void keep_inside(struct editor *editor)
{
    struct place *cursor = &editor->cursor;
    if (cursor->row >= editor->text.count)
        cursor->row = editor->text.count - 1;
    if (cursor->row < 0)
        cursor->row = 0;
    int last = length_here(editor) - (editor->mode == COMMAND);
    if (cursor->column > last)
        cursor->column = last;
    if (cursor->column < 0)
        cursor->column = 0;
}

static void complain(struct editor *editor)
{
    editor->messages++;
}

static void save_for_undo(struct editor *editor)
{
    editor->before = editor->text;
    editor->can_undo = true;
    editor->changed = true;
}

/* ---- Moving ---- */

static int kind_of(char character)
{
    if (character == ' ' || character == '\t' || character == '\n')
        return 0;
    return isalnum((unsigned char)character) || character == '_' ? 1 : 2;
}

static bool step_forward(const struct editor *editor, struct place *at)
{
    if (at->column + 1 < editor->text.length[at->row]) {
        at->column++;
        return true;
    }
    if (at->row + 1 < editor->text.count) {
        at->row++;
        at->column = 0;
        return true;
    }
    return false;
}

static bool step_back(const struct editor *editor, struct place *at)
{
    if (at->column > 0) {
        at->column--;
        return true;
    }
    if (at->row > 0) {
        at->row--;
        at->column = editor->text.length[at->row] > 0 ? editor->text.length[at->row] - 1 : 0;
        return true;
    }
    return false;
}

static struct place next_word(const struct editor *editor, struct place at)
{
    int kind = kind_of(character_at(editor, at)), row = at.row;
    while (kind_of(character_at(editor, at)) == kind && kind != 0 && at.row == row)
        if (!step_forward(editor, &at))
            return at;
    while (kind_of(character_at(editor, at)) == 0)
        if (!step_forward(editor, &at))
            break;
    return at;
}

static struct place last_word(const struct editor *editor, struct place at)
{
    if (!step_back(editor, &at))
        return at;
    while (kind_of(character_at(editor, at)) == 0)
        if (!step_back(editor, &at))
            return at;
    int kind = kind_of(character_at(editor, at)), row = at.row;
    for (struct place before = at; step_back(editor, &before) && before.row == row; at = before)
        if (kind_of(character_at(editor, before)) != kind)
            break;
    return at;
}

static struct place word_end(const struct editor *editor, struct place at)
{
    if (!step_forward(editor, &at))
        return at;
    while (kind_of(character_at(editor, at)) == 0)
        if (!step_forward(editor, &at))
            return at;
    int kind = kind_of(character_at(editor, at)), row = at.row;
    for (struct place after = at; step_forward(editor, &after) && after.row == row; at = after)
        if (kind_of(character_at(editor, after)) != kind)
            break;
    return at;
}

static bool matching_bracket(const struct editor *editor, struct place *at)
{
    static const char open[] = "([{", close[] = ")]}";
    char here = character_at(editor, *at);
    const char *found = strchr(open, here), *closes = strchr(close, here);
    if (here == '\0' || (found == NULL && closes == NULL))
        return false;
    char other = found != NULL ? close[found - open] : open[closes - close];
    int depth = 1;
    while (found != NULL ? step_forward(editor, at) : step_back(editor, at)) {
        char character = character_at(editor, *at);
        if (character == here)
            depth++;
        else if (character == other && --depth == 0)
            return true;
    }
    return false;
}

static bool find_in_line(struct editor *editor, int key, char character, int *column)
{
    const char *line = editor->text.line[editor->cursor.row];
    bool back = key == 'F' || key == 'T';
    int step = back ? -1 : 1;
    for (int at = editor->cursor.column + step; at >= 0 && at < length_here(editor); at += step) {
        if (line[at] == character) {
            *column = key == 't' ? at - 1 : key == 'T' ? at + 1 : at;
            return true;
        }
    }
    return false;
}

/* ---- Patterns: literal characters, '.', a star after either, '^' and '$' at the ends, backslash ---- */

static bool same_character(const struct editor *editor, char pattern, char character)
{
    if (editor->options.ignore_case)
        return tolower((unsigned char)pattern) == tolower((unsigned char)character);
    return pattern == character;
}

static bool matches_here(const struct editor *editor, const char *pattern, const char *text, int length, int *used)
{
    if (pattern[0] == '\0')
        return true;
    if (pattern[0] == '$' && pattern[1] == '\0')
        return length == 0;
    bool escaped = pattern[0] == '\\' && pattern[1] != '\0';
    const char *wanted = escaped ? pattern + 1 : pattern;
    if (wanted[1] == '*') {
        int most = 0;
        while (most < length && ((*wanted == '.' && !escaped) || same_character(editor, *wanted, text[most])))
            most++;
        for (; most >= 0; most--) {
            int more = 0;
            if (matches_here(editor, wanted + 2, text + most, length - most, &more)) {
                *used += most + more;
                return true;
            }
        }
        return false;
    }
    if (length == 0 || !((*wanted == '.' && !escaped) || same_character(editor, *wanted, *text)))
        return false;
    (*used)++;
    return matches_here(editor, wanted + 1, text + 1, length - 1, used);
}

static int find_pattern(const struct editor *editor, const char *pattern, int row, int from, int *used)
{
    const char *line = editor->text.line[row];
    int length = editor->text.length[row];
    if (pattern[0] == '^') {
        *used = 0;
        return from == 0 && matches_here(editor, pattern + 1, line, length, used) ? 0 : -1;
    }
    for (int column = from; column <= length; column++) {
        *used = 0;
        if (matches_here(editor, pattern, line + column, length - column, used))
            return column;
    }
    return -1;
}

static int last_in_row(const struct editor *editor, int row, int before)
{
    int best = -1, used;
    for (int from = 0; from < before; from++) {
        int column = find_pattern(editor, editor->pattern, row, from, &used);
        if (column < 0 || column >= before)
            break;
        best = from = column;
    }
    return best;
}

static bool search_once(struct editor *editor, bool backwards)
{
    int rows = editor->text.count, used;
    for (int distance = 0; distance <= rows; distance++) {
        int row = editor->cursor.row + (backwards ? -distance : distance);
        if ((row < 0 || row >= rows) && !editor->options.wrap_scan)
            return false;
        row = (row % rows + rows) % rows;
        int column = backwards ? last_in_row(editor, row, distance == 0 ? editor->cursor.column : WIDTH)
                               : find_pattern(editor, editor->pattern, row,
                                              distance == 0 ? editor->cursor.column + 1 : 0, &used);
        if (column >= 0) {
            editor->cursor = (struct place){row, column};
            return true;
        }
    }
    return false;
}

static void search(struct editor *editor, bool reversed, int count)
{
    if (editor->pattern[0] == '\0') {
        complain(editor);
        return;
    }
    for (; count > 0; count--) {
        if (!search_once(editor, editor->backwards != reversed)) {
            complain(editor);
            break;
        }
    }
    keep_inside(editor);
}

/* Reads up to the end of the line; false if it was given up. */
static bool read_line(char *line)
{
    int length = 0;
    for (;;) {
        int key = next_key();
        if (key == EOF || key == ESCAPE)
            return false;
        if (key == '\n' || key == '\r') {
            line[length] = '\0';
            return true;
        }
        if (key == BACKSPACE || key == DELETE) {
            if (length == 0)
                return false;
            length--;
        } else if (length < COMMAND_WIDTH - 1 && is_printable(key)) {
            line[length++] = (char)key;
        }
    }
}

static void read_pattern(struct editor *editor, bool backwards, int count)
{
    char line[COMMAND_WIDTH];
    if (!read_line(line))
        return;
    if (line[0] != '\0')
        strcpy(editor->pattern, line);
    editor->backwards = backwards;
    search(editor, false, count);
}

/* ---- The register ---- */

static void take_lines(struct editor *editor, int first, int count)
{
    editor->pasted.count = 0;
    editor->pasted_lines = true;
    for (int row = first; row < first + count && row < editor->text.count; row++) {
        int to = editor->pasted.count++;
        memcpy(editor->pasted.line[to], editor->text.line[row], WIDTH);
        editor->pasted.length[to] = editor->text.length[row];
    }
}

static void take_part(struct editor *editor, struct place from, int count)
{
    int length = editor->text.length[from.row];
    if (from.column + count > length)
        count = length - from.column;
    if (count < 0)
        count = 0;
    editor->pasted.count = 1;
    editor->pasted_lines = false;
    memcpy(editor->pasted.line[0], &editor->text.line[from.row][from.column], (size_t)count);
    editor->pasted.length[0] = count;
}

static void paste(struct editor *editor, bool after)
{
    if (editor->pasted.count == 0) {
        complain(editor);
        return;
    }
    save_for_undo(editor);
    if (editor->pasted_lines) {
        int row = editor->cursor.row + after;
        for (int from = 0; from < editor->pasted.count && insert_row(&editor->text, row + from); from++) {
            memcpy(editor->text.line[row + from], editor->pasted.line[from], WIDTH);
            editor->text.length[row + from] = editor->pasted.length[from];
        }
        editor->cursor = (struct place){row, 0};
    } else {
        if (after && length_here(editor) > 0)
            editor->cursor.column++;
        for (int from = 0; from < editor->pasted.length[0]; from++) {
            if (!insert_character(&editor->text, editor->cursor, editor->pasted.line[0][from]))
                break;
            editor->cursor.column++;
        }
        editor->cursor.column--;
    }
    keep_inside(editor);
}

/* ---- Insert and replace mode ---- */

static void split_line(struct editor *editor)
{
    struct text *text = &editor->text;
    struct place at = editor->cursor;
    if (!insert_row(text, at.row + 1))
        return;
    int rest = text->length[at.row] - at.column;
    memcpy(text->line[at.row + 1], &text->line[at.row][at.column], (size_t)rest);
    text->length[at.row + 1] = rest;
    text->length[at.row] = at.column;
    editor->cursor = (struct place){at.row + 1, 0};
    if (editor->options.auto_indent) {
        int indent = indent_of(text, at.row);
        for (int column = 0; column < indent; column++)
            if (insert_character(text, editor->cursor, text->line[at.row][column]))
                editor->cursor.column++;
    }
}

static void join_lines(struct editor *editor, int row, bool with_blank)
{
    struct text *text = &editor->text;
    if (row + 1 >= text->count) {
        complain(editor);
        return;
    }
    int skipped = with_blank ? indent_of(text, row + 1) : 0;
    struct place end = {row, text->length[row]};
    if (with_blank && end.column > 0 && insert_character(text, end, ' '))
        end.column++;
    for (int column = skipped; column < text->length[row + 1]; column++, end.column++)
        if (!insert_character(text, end, text->line[row + 1][column]))
            break;
    delete_rows(text, row + 1, 1);
}

static void leave_insertion(struct editor *editor)
{
    editor->mode = COMMAND;
    if (editor->cursor.column > 0)
        editor->cursor.column--;
    keep_inside(editor);
}

static void insert_key(struct editor *editor, int key)
{
    switch (key) {
    case ESCAPE: leave_insertion(editor); break;
    case '\r':
    case '\n': split_line(editor); break;
    case BACKSPACE:
    case DELETE:
        if (editor->cursor.column > 0) {
            editor->cursor.column--;
            delete_characters(&editor->text, editor->cursor, 1);
        } else if (editor->cursor.row > 0) {
            int row = editor->cursor.row - 1;
            editor->cursor = (struct place){row, editor->text.length[row]};
            join_lines(editor, row, false);
        }
        break;
    case LEFT:
    case RIGHT:
        editor->cursor.column += key == RIGHT ? 1 : -1;
        keep_inside(editor);
        break;
    case UP:
    case DOWN:
        editor->cursor.row += key == DOWN ? 1 : -1;
        keep_inside(editor);
        break;
    case HOME: editor->cursor.column = 0; break;
    case END: editor->cursor.column = length_here(editor); break;
    case '\t':
        do {
            if (!insert_character(&editor->text, editor->cursor, ' '))
                break;
            editor->cursor.column++;
        } while (editor->cursor.column % editor->options.tab_stop != 0);
        break;
    default:
        if (is_printable(key) && insert_character(&editor->text, editor->cursor, (char)key))
            editor->cursor.column++;
    }
}

static void replace_key(struct editor *editor, int key)
{
    if (key == ESCAPE) {
        leave_insertion(editor);
    } else if (key == BACKSPACE) {
        if (editor->cursor.column > 0)
            editor->cursor.column--;
    } else if (is_printable(key)) {
        if (editor->cursor.column < length_here(editor))
            editor->text.line[editor->cursor.row][editor->cursor.column] = (char)key;
        else if (!insert_character(&editor->text, editor->cursor, (char)key))
            return;
        editor->cursor.column++;
    }
}

/* ---- The command line ---- */

struct range {
    int first, last;
    bool given;
};

static bool read_address(struct editor *editor, const char **command, int *row)
{
    const char *at = *command;
    if (isdigit((unsigned char)*at)) {
        *row = 0;
        while (isdigit((unsigned char)*at) && *row < 10000)
            *row = 10 * *row + (*at++ - '0');
        (*row)--;
    } else if (*at == '.') {
        *row = editor->cursor.row;
        at++;
    } else if (*at == '$') {
        *row = editor->text.count - 1;
        at++;
    } else if (*at == '\'' && islower((unsigned char)at[1]) && editor->marked[at[1] - 'a']) {
        *row = editor->marks[at[1] - 'a'].row;
        at += 2;
    } else {
        return false;
    }
    while (*at == '+' || *at == '-')
        *row += *at++ == '+' ? 1 : -1;
    *command = at;
    return true;
}

static bool read_range(struct editor *editor, const char **command, struct range *range)
{
    range->first = range->last = editor->cursor.row;
    range->given = false;
    if (**command == '%') {
        (*command)++;
        *range = (struct range){0, editor->text.count - 1, true};
        return true;
    }
    if (read_address(editor, command, &range->first)) {
        range->given = true;
        range->last = range->first;
        if (**command == ',') {
            (*command)++;
            if (!read_address(editor, command, &range->last))
                return false;
        }
    }
    return range->first >= 0 && range->first <= range->last && range->last < editor->text.count;
}

static bool set_number(const char *text, const char *name, int least, int most, int *value)
{
    size_t length = strlen(name);
    if (strncmp(text, name, length) != 0 || text[length] != '=')
        return false;
    int number = atoi(text + length + 1);
    if (number >= least && number <= most)
        *value = number;
    return true;
}

static bool set_flag(const char *text, const char *name, const char *brief, bool *flag)
{
    bool wanted = true;
    if (text[0] == 'n' && text[1] == 'o' && strcmp(text, name) != 0 && strcmp(text, brief) != 0) {
        wanted = false;
        text += 2;
    }
    if (strcmp(text, name) != 0 && strcmp(text, brief) != 0)
        return false;
    *flag = wanted;
    return true;
}

static void set_option(struct editor *editor, const char *text)
{
    struct options *options = &editor->options;
    if (set_flag(text, "number", "nu", &options->number) || set_flag(text, "ignorecase", "ic", &options->ignore_case) ||
        set_flag(text, "wrapscan", "ws", &options->wrap_scan) || set_flag(text, "list", "li", &options->list) ||
        set_flag(text, "autoindent", "ai", &options->auto_indent))
        return;
    if (set_number(text, "ts", 1, 16, &options->tab_stop) || set_number(text, "sw", 1, 16, &options->shift_width))
        return;
    complain(editor);
}

/* s/pattern/text/ and maybe g */
static void substitute(struct editor *editor, const char *command, struct range range)
{
    char pattern[COMMAND_WIDTH], text[COMMAND_WIDTH];
    int length = 0;
    char separator = *command;
    if (separator == '\0' || isalnum((unsigned char)separator)) {
        complain(editor);
        return;
    }
    for (command++; *command != '\0' && *command != separator; command++)
        pattern[length++] = *command;
    pattern[length] = '\0';
    length = 0;
    if (*command == separator)
        for (command++; *command != '\0' && *command != separator; command++)
            text[length++] = *command;
    text[length] = '\0';
    bool everywhere = *command == separator && command[1] == 'g';
    if (pattern[0] == '\0')
        strcpy(pattern, editor->pattern);
    save_for_undo(editor);
    int changes = 0;
    for (int row = range.first; row <= range.last; row++) {
        int used, from = 0, column;
        while (from <= editor->text.length[row] &&
               (column = find_pattern(editor, pattern, row, from, &used)) >= 0) {
            struct place at = {row, column};
            delete_characters(&editor->text, at, used);
            for (int i = 0; i < length; i++, at.column++)
                if (!insert_character(&editor->text, at, text[i]))
                    break;
            changes++;
            from = at.column + (used == 0);
            if (!everywhere || pattern[0] == '^')
                break;
        }
    }
    if (changes == 0)
        complain(editor);
    else
        strcpy(editor->pattern, pattern);
}

static void shift_rows(struct editor *editor, struct range range, bool right)
{
    for (int row = range.first; row <= range.last; row++) {
        struct place start = {row, 0};
        for (int i = 0; i < editor->options.shift_width; i++) {
            if (right) {
                if (editor->text.length[row] > 0)
                    insert_character(&editor->text, start, ' ');
            } else if (indent_of(&editor->text, row) > 0) {
                delete_characters(&editor->text, start, 1);
            }
        }
    }
}

static int compare_rows(const struct text *text, int one, int other)
{
    int length = text->length[one] < text->length[other] ? text->length[one] : text->length[other];
    int order = memcmp(text->line[one], text->line[other], (size_t)length);
    return order != 0 ? order : text->length[one] - text->length[other];
}

static void sort_rows(struct editor *editor, struct range range, bool reversed)
{
    struct text *text = &editor->text;
    for (int end = range.first + 1; end <= range.last; end++) {
        for (int row = end; row > range.first; row--) {
            int order = compare_rows(text, row - 1, row);
            if (reversed ? order >= 0 : order <= 0)
                break;
            char line[WIDTH];
            int length = text->length[row];
            memcpy(line, text->line[row], WIDTH);
            memcpy(text->line[row], text->line[row - 1], WIDTH);
            memcpy(text->line[row - 1], line, WIDTH);
            text->length[row] = text->length[row - 1];
            text->length[row - 1] = length;
        }
    }
}

static void copy_or_move(struct editor *editor, const char *command, struct range range, bool moves)
{
    int target, count = range.last - range.first + 1;
    if (!read_address(editor, &command, &target) || *command != '\0' || target < -1 || target >= editor->text.count) {
        complain(editor);
        return;
    }
    if (moves && target >= range.first && target <= range.last) {
        complain(editor);
        return;
    }
    save_for_undo(editor);
    take_lines(editor, range.first, count);
    if (moves) {
        delete_rows(&editor->text, range.first, count);
        if (target > range.last)
            target -= count;
    }
    editor->cursor = (struct place){target < 0 ? 0 : target, 0};
    keep_inside(editor);
    paste(editor, target >= 0);
}

/* A command that has a name of its own; `rest` is what comes after the name. */
static void run_word(struct editor *editor, const char *word, const char *rest, struct range range)
{
    int count = range.last - range.first + 1;
    if (strcmp(word, "d") == 0 || strcmp(word, "del") == 0) {
        save_for_undo(editor);
        take_lines(editor, range.first, count);
        delete_rows(&editor->text, range.first, count);
        editor->cursor.row = range.first;
    } else if (strcmp(word, "y") == 0 || strcmp(word, "yank") == 0) {
        take_lines(editor, range.first, count);
    } else if (strcmp(word, "pu") == 0 || strcmp(word, "put") == 0) {
        editor->cursor.row = range.last;
        paste(editor, true);
    } else if (strcmp(word, "j") == 0 || strcmp(word, "join") == 0) {
        save_for_undo(editor);
        for (int i = count > 1 ? count - 1 : 1; i > 0; i--)
            join_lines(editor, range.first, true);
    } else if (strcmp(word, "m") == 0 || strcmp(word, "move") == 0) {
        copy_or_move(editor, rest, range, true);
    } else if (strcmp(word, "t") == 0 || strcmp(word, "copy") == 0) {
        copy_or_move(editor, rest, range, false);
    } else if (strcmp(word, "k") == 0 || strcmp(word, "mark") == 0) {
        if (islower((unsigned char)*rest)) {
            editor->marks[*rest - 'a'] = (struct place){range.last, 0};
            editor->marked[*rest - 'a'] = true;
        } else {
            complain(editor);
        }
    } else if (strcmp(word, "sort") == 0) {
        save_for_undo(editor);
        sort_rows(editor, range.given ? range : (struct range){0, editor->text.count - 1, true}, *rest == '!');
    } else if (strcmp(word, "set") == 0) {
        set_option(editor, rest);
    } else if (strcmp(word, "u") == 0 || strcmp(word, "undo") == 0) {
        if (editor->can_undo)
            editor->text = editor->before;
        else
            complain(editor);
    } else if (strcmp(word, "w") == 0 || strcmp(word, "write") == 0) {
        editor->changed = false;
    } else if (strcmp(word, "q") == 0 || strcmp(word, "quit") == 0) {
        if (editor->changed && *rest != '!')
            complain(editor);
        else
            editor->leaving = true;
    } else if (strcmp(word, "wq") == 0 || strcmp(word, "x") == 0) {
        editor->leaving = true;
    } else {
        complain(editor);
    }
}

static void run_command(struct editor *editor, const char *command)
{
    struct range range;
    char word[COMMAND_WIDTH];
    int length = 0;
    while (*command == ' ' || *command == ':')
        command++;
    if (!read_range(editor, &command, &range)) {
        complain(editor);
        return;
    }
    if (*command == '\0') {
        if (range.given)
            editor->cursor = (struct place){range.last, 0};
    } else if (*command == 's' && !isalpha((unsigned char)command[1])) {
        substitute(editor, command + 1, range);
    } else if (*command == '>' || *command == '<') {
        save_for_undo(editor);
        shift_rows(editor, range, *command == '>');
    } else if (*command == '=') {
        complain(editor); /* says the number of the line */
    } else {
        while (isalpha((unsigned char)*command))
            word[length++] = *command++;
        word[length] = '\0';
        while (*command == ' ')
            command++;
        run_word(editor, word, command, range);
    }
    keep_inside(editor);
}

/* ---- Command mode ---- */

/* Where a motion leads; false if the key is none, or leads nowhere. `whole` says that it means whole lines. */
static bool move(struct editor *editor, int key, int count, bool counted, struct place *to, bool *whole)
{
    struct place at = editor->cursor;
    *whole = false;
    switch (key) {
    case LEFT:
    case 'h': at.column -= count; break;
    case RIGHT:
    case ' ':
    case 'l': at.column += count; break;
    case '\n':
    case DOWN:
    case '+':
    case 'j':
        at.row += count;
        *whole = true;
        break;
    case UP:
    case '-':
    case 'k':
        at.row -= count;
        *whole = true;
        break;
    case HOME:
    case '0': at.column = 0; break;
    case '^': at.column = indent_of(&editor->text, at.row); break;
    case END:
    case '$': at.column = length_here(editor); break;
    case 'G':
        at.row = counted ? count - 1 : editor->text.count - 1;
        *whole = true;
        break;
    case 'H':
        at.row = 0;
        *whole = true;
        break;
    case 'w':
        for (; count > 0; count--)
            at = next_word(editor, at);
        break;
    case 'b':
        for (; count > 0; count--)
            at = last_word(editor, at);
        break;
    case 'e':
        for (; count > 0; count--)
            at = word_end(editor, at);
        break;
    case '%':
        if (!matching_bracket(editor, &at))
            return false;
        break;
    case 'f':
    case 'F':
    case 't':
    case 'T':
        editor->found_key = key;
        editor->found_character = (char)next_key();
        if (!find_in_line(editor, key, editor->found_character, &at.column))
            return false;
        break;
    case ';':
        if (editor->found_key == 0 || !find_in_line(editor, editor->found_key, editor->found_character, &at.column))
            return false;
        break;
    case '\'':
    case '`': {
        int name = next_key();
        if (!is_lower(name) || !editor->marked[name - 'a'])
            return false;
        at = editor->marks[name - 'a'];
        *whole = key == '\'';
        break;
    }
    default: return false;
    }
    if (at.row < 0 || at.row >= editor->text.count)
        return false;
    *to = at;
    return true;
}

static void operate_on_lines(struct editor *editor, int operator, int first, int last)
{
    struct range range = {first < last ? first : last, first < last ? last : first, true};
    int count = range.last - range.first + 1;
    if (range.last >= editor->text.count)
        count = editor->text.count - range.first;
    if (operator != 'y')
        save_for_undo(editor);
    range.last = range.first + count - 1;
    switch (operator) {
    case '>':
    case '<': shift_rows(editor, range, operator == '>'); break;
    case 'y': take_lines(editor, range.first, count); break;
    case 'd':
        take_lines(editor, range.first, count);
        delete_rows(&editor->text, range.first, count);
        editor->cursor = (struct place){range.first, 0};
        break;
    case 'c':
        take_lines(editor, range.first, count);
        delete_rows(&editor->text, range.first, count - 1);
        editor->text.length[range.first] = 0;
        editor->cursor = (struct place){range.first, 0};
        editor->mode = INSERT;
        break;
    }
}

static void operate_on_part(struct editor *editor, int operator, struct place to)
{
    struct place from = editor->cursor;
    if (to.row != from.row)
        to = to.row > from.row ? (struct place){from.row, length_here(editor)} : (struct place){from.row, 0};
    if (to.column < from.column) {
        struct place other = from;
        from = to;
        to = other;
    }
    if (from.column < 0)
        from.column = 0;
    take_part(editor, from, to.column - from.column);
    if (operator == 'y')
        return;
    save_for_undo(editor);
    delete_characters(&editor->text, from, to.column - from.column);
    editor->cursor = from;
    if (operator == 'c')
        editor->mode = INSERT;
}

static void operate(struct editor *editor, int operator, int count)
{
    int key = next_key();
    struct place to;
    bool whole;
    if (key == operator) {
        operate_on_lines(editor, operator, editor->cursor.row, editor->cursor.row + count - 1);
    } else if (move(editor, key, count, false, &to, &whole)) {
        if (whole || operator == '>' || operator == '<')
            operate_on_lines(editor, operator, editor->cursor.row, to.row);
        else
            operate_on_part(editor, operator, to);
    } else {
        complain(editor);
    }
}

static void start_insertion(struct editor *editor, int key)
{
    struct place *cursor = &editor->cursor;
    save_for_undo(editor);
    editor->mode = INSERT;
    if (key == 'a' && length_here(editor) > 0)
        cursor->column++;
    else if (key == 'A')
        cursor->column = length_here(editor);
    else if (key == 'I')
        cursor->column = indent_of(&editor->text, cursor->row);
    else if ((key == 'o' || key == 'O') && insert_row(&editor->text, cursor->row + (key == 'o')))
        *cursor = (struct place){cursor->row + (key == 'o'), 0};
}

static void change_case(struct editor *editor, int count)
{
    save_for_undo(editor);
    for (; count > 0 && editor->cursor.column < length_here(editor); count--, editor->cursor.column++) {
        char *here = &editor->text.line[editor->cursor.row][editor->cursor.column];
        *here = (char)(isupper((unsigned char)*here) ? tolower((unsigned char)*here) : toupper((unsigned char)*here));
    }
}

static void replace_characters(struct editor *editor, int count)
{
    int key = next_key();
    if (!is_printable(key) || editor->cursor.column + count > length_here(editor)) {
        complain(editor);
        return;
    }
    save_for_undo(editor);
    for (int i = 0; i < count; i++)
        editor->text.line[editor->cursor.row][editor->cursor.column + i] = (char)key;
}

static int read_count(int key, int *count)
{
    while (is_digit(key) && (*count > 0 || key != '0')) {
        if (*count < 1000)
            *count = 10 * *count + key - '0';
        key = next_key();
    }
    return key;
}

static void undo(struct editor *editor)
{
    if (!editor->can_undo) {
        complain(editor);
        return;
    }
    struct text now = editor->text;
    editor->text = editor->before;
    editor->before = now;
}

static void command_key(struct editor *editor, int key)
{
    char line[COMMAND_WIDTH];
    struct place to;
    bool whole;
    int given = 0;
    key = read_count(key, &given);
    int count = given > 0 ? given : 1;
    switch (key) {
    case 'i':
    case 'I':
    case 'a':
    case 'A':
    case 'o':
    case 'O': start_insertion(editor, key); return;
    case 'R':
        save_for_undo(editor);
        editor->mode = REPLACE;
        return;
    case 'd':
    case 'c':
    case 'y':
    case '>':
    case '<': operate(editor, key, count); break;
    case 'x':
        take_part(editor, editor->cursor, count);
        save_for_undo(editor);
        delete_characters(&editor->text, editor->cursor, count);
        break;
    case 'D':
    case 'C':
        push_back('$');
        operate(editor, key == 'D' ? 'd' : 'c', 1);
        break;
    case 'Y': take_lines(editor, editor->cursor.row, count); break;
    case 'p':
    case 'P': paste(editor, key == 'p'); break;
    case 'J':
        save_for_undo(editor);
        join_lines(editor, editor->cursor.row, true);
        break;
    case '~': change_case(editor, count); break;
    case 'r': replace_characters(editor, count); break;
    case 'u': undo(editor); break;
    case 'm':
        key = next_key();
        if (is_lower(key)) {
            editor->marks[key - 'a'] = editor->cursor;
            editor->marked[key - 'a'] = true;
        }
        break;
    case 'n':
    case 'N': search(editor, key == 'N', count); break;
    case '/':
    case '?': read_pattern(editor, key == '?', count); break;
    case ':':
        if (read_line(line))
            run_command(editor, line);
        break;
    case 'Z':
        key = next_key();
        editor->leaving = key == 'Z' || key == 'Q';
        break;
    default:
        if (move(editor, key, count, given > 0, &to, &whole)) {
            editor->cursor = whole ? (struct place){to.row, editor->cursor.column} : to;
        } else {
            complain(editor);
        }
    }
    keep_inside(editor);
}

int main(void)
{
    static struct editor editor;
    editor.text.count = 1;
    editor.options = (struct options){.wrap_scan = true, .tab_stop = 8, .shift_width = 4};
    while (!editor.leaving) {
        int key = next_key();
        if (key == EOF)
            break;
        switch (editor.mode) {
        case COMMAND: command_key(&editor, key); break;
        case INSERT: insert_key(&editor, key); break;
        case REPLACE: replace_key(&editor, key); break;
        }
    }
    return editor.changed;
}
