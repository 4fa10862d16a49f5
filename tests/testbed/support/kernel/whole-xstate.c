/*
 * Lets User-Mode Linux run on CPUs whose registers are more than it knows.
 *
 * UML saves and restores the registers of its processes by ptrace, in buffers that end with AVX. The host refuses to restore anything but
 * the whole state, which is larger on CPUs with AMX: "ptrace set fp regs failed, errno = 14". This library, preloaded, stands between:
 * what does not fit into a buffer of UML is kept here, by the buffer's address, and is put behind it when it is restored.
 *
 * UML has one thread and small stacks: all buffers are static, and the library must be linked with -z now.
 */
#include <stdarg.h>
#include <string.h>
#include <errno.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#define NT_X86_XSTATE 0x202
#define LARGEST_STATE 16384
#define LARGEST_COUNT 4096

static struct {
	void *buffer;
	unsigned char state[LARGEST_STATE];
} kept[LARGEST_COUNT];

static unsigned char whole[LARGEST_STATE];

/* The place of a buffer, its own or a free one; the last one is everybody's when all are taken. */
static int place_of(void *buffer)
{
	int place = 0;
	while (place < LARGEST_COUNT - 1 && kept[place].buffer && kept[place].buffer != buffer)
		place++;
	return place;
}

static long transfer(long request, long pid, struct iovec *given)
{
	struct iovec all = { whole, LARGEST_STATE };
	if (syscall(SYS_ptrace, PTRACE_GETREGSET, pid, NT_X86_XSTATE, &all) < 0)
		return -1;

	int place = place_of(given->iov_base);
	size_t length = given->iov_len < all.iov_len ? given->iov_len : all.iov_len;
	if (request == PTRACE_GETREGSET) {
		memcpy(given->iov_base, whole, length);
		memcpy(kept[place].state, whole, all.iov_len);
		kept[place].buffer = given->iov_base;
		given->iov_len = length;
		return 0;
	}
	if (kept[place].buffer == given->iov_base)
		memcpy(whole, kept[place].state, all.iov_len);
	memcpy(whole, given->iov_base, length);
	return syscall(SYS_ptrace, PTRACE_SETREGSET, pid, NT_X86_XSTATE, &all);
}

long ptrace(enum __ptrace_request request, ...)
{
	va_list arguments;
	va_start(arguments, request);
	long pid = va_arg(arguments, pid_t);
	void *address = va_arg(arguments, void *);
	void *data = va_arg(arguments, void *);
	va_end(arguments);

	if ((request == PTRACE_GETREGSET || request == PTRACE_SETREGSET) && address == (void *)NT_X86_XSTATE)
		return transfer(request, pid, data);
	if (request == PTRACE_PEEKTEXT || request == PTRACE_PEEKDATA || request == PTRACE_PEEKUSER) {
		/* As the C library does: the system call stores the word, the function returns it. */
		long word;
		long result = syscall(SYS_ptrace, request, pid, address, &word);
		if (result < 0)
			return result;
		errno = 0;
		return word;
	}
	return syscall(SYS_ptrace, request, pid, address, data);
}
