import { existsSync } from 'node:fs';
import { release } from 'node:os';
import { AppError } from '#core/app-error.ts';
import { userNamespaceMark } from '../../namespaces/enter-user-namespace.ts';
import { findMissingTools } from '../../namespaces/require-tools.ts';

/** Where the kernel describes its structures. */
const kernelTypes = '/sys/kernel/btf/vmlinux';
const libraryHeader = '/usr/include/bpf/libbpf.h';

/** Registrations that end with their owner are in Linux since then. */
const firstWithLinks = [6, 4] as const;

/** Debian's packages that are missing on this machine to compile a variant. */
export function findMissingVariantPackages(searchPath: string): string[] {
  return [
    ...(findMissingTools(searchPath, { clang: 'clang' }).length > 0 ? ['clang'] : []),
    ...(existsSync(libraryHeader) ? [] : ['libbpf-dev']),
  ];
}

/** Throws `testbed-refused` where variants cannot be loaded as BPF, with what to do. */
export function refuseWithoutVariantTools(variant: string): void {
  const obstacle = findVariantObstacle();
  if (obstacle === null) return;
  throw new AppError(
    'testbed-refused',
    `This kernel has no TCP variant "${variant}". HTTP-AE can load it as BPF, but ${obstacle}`,
  );
}

/** Why variants cannot be loaded as BPF here; null where they can. */
export function findVariantObstacle(searchPath = process.env.PATH ?? ''): string | null {
  if (process.getuid!() !== 0 || process.env[userNamespaceMark] !== undefined)
    return 'that needs root: run the testbed with sudo';
  if (!hasLinks(release()))
    return `Linux ${release()} is too old for that: use Linux ${firstWithLinks.join('.')} or later, or a kernel that has the module`;
  if (!existsSync(kernelTypes))
    return `the kernel does not describe its types (${kernelTypes}): use one that is built with CONFIG_DEBUG_INFO_BTF`;
  const missing = findMissingVariantPackages(searchPath);
  if (missing.length === 0) return null;
  return `${missing.join(' and ')} ${missing.length === 1 ? 'is' : 'are'} not installed (Debian, Ubuntu: sudo apt-get install ${missing.join(' ')})`;
}

/** By a version such as "6.1.0-38-amd64". */
export function hasLinks(kernelVersion: string): boolean {
  const [major = 0, minor = 0] = kernelVersion.split(/[.-]/).map(Number);
  return major > firstWithLinks[0] || (major === firstWithLinks[0] && minor >= firstWithLinks[1]);
}
