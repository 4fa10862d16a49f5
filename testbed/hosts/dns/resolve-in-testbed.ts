import path from 'node:path';
import { userNamespaceMark } from '../../namespaces/enter-user-namespace.ts';

const resolvConf = path.join(import.meta.dirname, 'resolv.conf');

/** Daemons of the machine that resolve names for others, outside of the testbed. Without them, the C library asks the server of resolv.conf. */
const daemons = ['/run/systemd/resolve/io.systemd.Resolve', '/run/nscd/socket'];

/** Where a user namespace has its own /run, the link that systemd makes of /etc/resolv.conf leads nowhere. */
const script = `if [ ! -e /etc/resolv.conf ] && [ -n "$${userNamespaceMark}" ]; then
  target=$(readlink -m /etc/resolv.conf)
  mkdir -p "\${target%/*}" && : >"$target" || true
fi
if [ -e /etc/resolv.conf ]; then mount --bind "$1" /etc/resolv.conf; fi
for each in ${daemons.join(' ')}; do if [ -S "$each" ]; then mount --bind /dev/null "$each"; fi; done
shift; exec "$@"`;

/**
 * The words before a command that let it, and all that it starts, ask the testbed for names, as the same process: in a mount namespace of its own, with another /etc/resolv.conf. Where
 * no Scenario has hosts, nothing leads to that server, and names fail at once.
 */
export const resolveInTestbed = ['unshare', '--mount', '--', 'sh', '-ec', script, 'sh', resolvConf] as const;
