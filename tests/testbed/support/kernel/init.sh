#!/bin/bash
# The first process of the kernel that run-in-kernel.ts boots: the host's files, read-only, under a layer in memory; in them JOB runs,
# which finds the host's folder OUT at /out.
export PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LC_ALL=C
mount -t proc proc /proc
mount -t sysfs sys /sys
mount -t tmpfs tmpfs /run
read_argument() { sed -n "s/.*\\b$1=\\([^ ]*\\).*/\\1/p" /proc/cmdline; }
job=$(read_argument JOB)
out=$(read_argument OUT)
modules=/usr/lib/uml/modules/$(uname -r)
insmod "$modules/kernel/fs/overlayfs/overlay.ko"

root=/run/root
mkdir -p /run/upper /run/work $root
mount -t overlay overlay -o lowerdir=/,upperdir=/run/upper,workdir=/run/work $root
mount -t proc proc $root/proc
mount -t sysfs sys $root/sys
mount -t devtmpfs dev $root/dev
mkdir -p $root/dev/pts $root/dev/shm $root/out $root/lib/modules
mount -t tmpfs tmpfs $root/dev/shm
mount -t tmpfs tmpfs $root/run
mount -t hostfs none $root/out -o "$out"
ln -sfn "$modules" "$root/lib/modules/$(uname -r)"
ln -sfn /proc/self/fd $root/dev/fd
ln -sfn /proc/self/fd/0 $root/dev/stdin
ln -sfn /proc/self/fd/1 $root/dev/stdout
ln -sfn /proc/self/fd/2 $root/dev/stderr

chroot $root /bin/bash -c "ip link set lo up; depmod -a; . $job" >$root/out/log 2>&1
echo $? >$root/out/exit-status
sync
echo o >/proc/sysrq-trigger
sleep 10
