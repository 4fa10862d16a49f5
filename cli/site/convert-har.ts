export async function importHar(_file: string, _options: { to: string; keepSecrets?: true }): Promise<void> {}
export async function exportHar(_file: string, _options: { to: string }): Promise<void> {}
