/** A command for the hosts of an inventory. */
export function joinBySshCommand(action: 'up' | 'status' | 'down', ...options: string[]): string {
  return ['./http-ae', 'hosts', action, '--inventory', 'hosts.yaml', ...options].join(' ');
}

export const sampleInventory = `all:
  vars: { ansible_user: lab }
  hosts:
    lab-1: { ansible_host: 192.0.2.7 }
    lab-2: { ansible_host: 192.0.2.8, ansible_become: true } # Agent as root, by sudo
`;
