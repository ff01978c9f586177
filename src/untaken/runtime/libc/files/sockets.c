/* Models of sockets: stdin of the input stands for the connection to a client.
 *
 * A program may be given it as descriptor 0, as inetd does, or accept it on a socket of its own; then the client
 * connects once, and where the program waits for the next one the run ends. Nothing is bound or listened to in truth:
 * one run would find the address in use that the last one is still giving up. What the program receives is read from
 * the stream, one input statement a call. What it sends is dropped. All other sockets are the real ones.
 */
#define _GNU_SOURCE
#include "input/streams.h"
#include "libc/model.h"
#include "process/process.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

ssize_t __recv_chk(int descriptor, void *to, size_t size, size_t room, int flags);
ssize_t __recvfrom_chk(int descriptor, void *to, size_t size, size_t room, int flags, __SOCKADDR_ARG address,
                       socklen_t *length);

static bool is_connection(int descriptor) {
    const struct untaken_stream *stream = untaken_stream_of_fd(descriptor);
    return stream && stream == untaken_stream_of_stdin();
}

/* ---- Connecting ---- */

/* The stream of a client that may connect to this socket. */
static struct untaken_stream *client_of(int listener) {
    struct stat status;
    struct untaken_stream *stream = untaken_stream_of_stdin();
    return stream && fstat(listener, &status) == 0 && S_ISSOCK(status.st_mode) ? stream : NULL;
}

int untaken_model_bind(int listener, __CONST_SOCKADDR_ARG address, socklen_t length) {
    return client_of(listener) ? 0 : bind(listener, address, length);
}

int untaken_model_listen(int listener, int waiting) { return client_of(listener) ? 0 : listen(listener, waiting); }

/* A description of its own, as a second one of a file would be; read-only, since replies must not change the input. */
static int connect_client(struct untaken_stream *stream, int flags) {
    char path[STREAM_PATH_SIZE];
    int descriptor = open(stream_path(stream, path), O_RDONLY | (flags & SOCK_CLOEXEC ? O_CLOEXEC : 0));
    if (descriptor >= 0)
        descriptor_opened(descriptor, stream);
    stream->connected = true;
    return descriptor;
}

/* A connection through a stream has no address, like that of an unnamed socket. */
static void forget_address(socklen_t *length) {
    if (length) {
        *length = 0;
        untaken_memory_clear(length, sizeof *length);
    }
}

static int accept_client(struct untaken_stream *stream, socklen_t *length, int flags) {
    if (stream->connected)
        untaken_end_run(UNTAKEN_EXIT_INPUTS, "");
    forget_address(length);
    return connect_client(stream, flags);
}

int untaken_model_accept(int listener, __SOCKADDR_ARG address, socklen_t *length) {
    struct untaken_stream *stream = client_of(listener);
    return stream ? accept_client(stream, length, 0) : accept(listener, address, length);
}

int untaken_model_accept4(int listener, __SOCKADDR_ARG address, socklen_t *length, int flags) {
    struct untaken_stream *stream = client_of(listener);
    return stream ? accept_client(stream, length, flags) : accept4(listener, address, length, flags);
}

/* ---- Receiving ---- */

/* What is only looked at is there for the next call, too. */
static void give_back(int descriptor, off_t before, struct cursor cursor) {
    lseek(descriptor, before, SEEK_SET);
    *cursor_of_descriptor(descriptor) = cursor;
}

static ssize_t receive(void *self, unsigned arguments, struct read_request request, int flags) {
    struct cursor cursor = *cursor_of_descriptor(request.descriptor);
    uint64_t before = descriptor_before_read(request.descriptor);
    off_t start = lseek(request.descriptor, 0, SEEK_CUR);
    ssize_t result = read(request.descriptor, request.to, request.size);
    descriptor_after_read(self, arguments, request, before, result);
    if (flags & MSG_PEEK)
        give_back(request.descriptor, start, cursor);
    return result;
}

static ssize_t received(void *self, unsigned arguments, struct read_request request, ssize_t result) {
    descriptor_after_read(self, arguments, request, UINT64_MAX, result);
    return result;
}

ssize_t untaken_model_recv(int descriptor, void *to, size_t size, int flags) {
    struct read_request request = {descriptor, to, size};
    if (untaken_stream_of_fd(descriptor))
        return receive(SELF(recv), 4, request, flags);
    return received(SELF(recv), 4, request, recv(descriptor, to, size, flags));
}

ssize_t untaken_model___recv_chk(int descriptor, void *to, size_t size, size_t room, int flags) {
    struct read_request request = {descriptor, to, size};
    if (untaken_stream_of_fd(descriptor) && size <= room)
        return receive(SELF(__recv_chk), 5, request, flags);
    return received(SELF(__recv_chk), 5, request, __recv_chk(descriptor, to, size, room, flags));
}

ssize_t untaken_model_recvfrom(int descriptor, void *to, size_t size, int flags, __SOCKADDR_ARG address,
                               socklen_t *length) {
    struct read_request request = {descriptor, to, size};
    if (untaken_stream_of_fd(descriptor)) {
        forget_address(length);
        return receive(SELF(recvfrom), 6, request, flags);
    }
    return received(SELF(recvfrom), 6, request, recvfrom(descriptor, to, size, flags, address, length));
}

ssize_t untaken_model___recvfrom_chk(int descriptor, void *to, size_t size, size_t room, int flags,
                                     __SOCKADDR_ARG address, socklen_t *length) {
    struct read_request request = {descriptor, to, size};
    if (untaken_stream_of_fd(descriptor) && size <= room) {
        forget_address(length);
        return receive(SELF(__recvfrom_chk), 7, request, flags);
    }
    return received(SELF(__recvfrom_chk), 7, request,
                    __recvfrom_chk(descriptor, to, size, room, flags, address, length));
}

/* ---- Sending ---- */

/* Whatever its size is, it is sent whole: then the result is the size. */
static ssize_t sent(void *self, unsigned arguments, int descriptor, size_t size, ssize_t result) {
    untaken_label labels[6];
    if (!model_begin(self, labels, arguments))
        return result;
    if (labels[0])
        untaken_pin_term(model_argument(labels[0], 32, (uint32_t)descriptor));
    model_end_label(self, result == (ssize_t)size ? labels[2] : 0);
    return result;
}

ssize_t untaken_model_write(int descriptor, const void *from, size_t size) {
    ssize_t result = is_connection(descriptor) ? (ssize_t)size : write(descriptor, from, size);
    return sent(SELF(write), 3, descriptor, size, result);
}

ssize_t untaken_model_send(int descriptor, const void *from, size_t size, int flags) {
    ssize_t result = is_connection(descriptor) ? (ssize_t)size : send(descriptor, from, size, flags);
    return sent(SELF(send), 4, descriptor, size, result);
}

ssize_t untaken_model_sendto(int descriptor, const void *from, size_t size, int flags, __CONST_SOCKADDR_ARG address,
                             socklen_t length) {
    ssize_t result =
        is_connection(descriptor) ? (ssize_t)size : sendto(descriptor, from, size, flags, address, length);
    return sent(SELF(sendto), 6, descriptor, size, result);
}

/* ---- What servers do to connections besides ---- */

int untaken_model_setsockopt(int descriptor, int level, int option, const void *value, socklen_t length) {
    return is_connection(descriptor) ? 0 : setsockopt(descriptor, level, option, value, length);
}

int untaken_model_shutdown(int descriptor, int how) { return is_connection(descriptor) ? 0 : shutdown(descriptor, how); }
