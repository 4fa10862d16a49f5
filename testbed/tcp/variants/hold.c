/*
 * Registers the TCP variant of an object file, and prints "registered". The registration is a link that this process holds. So it ends with
 * this process, and this process with its standard input. Connections and namespaces that use the variant keep it.
 *
 *   hold OBJECT
 */
#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <errno.h>
#include <linux/bpf.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

/* In the kernel since 6.4. The headers of Debian 12 are of 6.1. */
#define MAP_HAS_LINK (1U << 13) /* BPF_F_LINK */
#define STRUCT_OPS 44 /* BPF_STRUCT_OPS */

static int fail(const char *what, int error)
{
	fprintf(stderr, "%s: %s\n", what, strerror(error));
	return 1;
}

/* Before version 1.2, libbpf only fills the map, and returns the map's own descriptor. */
static int link_map(struct bpf_map *map)
{
	struct bpf_link *link = bpf_map__attach_struct_ops(map);
	union bpf_attr attributes;

	if (!link)
		return -1;
	if (bpf_link__fd(link) != bpf_map__fd(map))
		return 0;
	memset(&attributes, 0, sizeof(attributes));
	attributes.link_create.prog_fd = bpf_map__fd(map);
	attributes.link_create.attach_type = STRUCT_OPS;
	return syscall(SYS_bpf, BPF_LINK_CREATE, &attributes, sizeof(attributes));
}

int main(int count, char **words)
{
	struct bpf_object *object;
	struct bpf_map *map;
	char byte;

	if (count != 2)
		return fail("hold OBJECT", EINVAL);
	/* Ctrl-C is for the process that started this one: it may still have a Round to end. */
	signal(SIGINT, SIG_IGN);
	object = bpf_object__open_file(words[1], NULL);
	if (!object)
		return fail("The object cannot be read", errno);
	map = bpf_object__next_map(object, NULL);
	while (map && bpf_map__type(map) != BPF_MAP_TYPE_STRUCT_OPS)
		map = bpf_object__next_map(object, map);
	if (!map)
		return fail("The object has no TCP variant", EINVAL);
	bpf_map__set_map_flags(map, MAP_HAS_LINK);
	if (bpf_object__load(object))
		return fail("The kernel does not load it", errno);
	if (link_map(map) < 0)
		return fail("The kernel does not register it", errno);
	puts("registered");
	fflush(stdout);
	while (read(STDIN_FILENO, &byte, 1) > 0)
		;
	return 0;
}
