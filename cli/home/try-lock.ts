import { DatabaseSync } from 'node:sqlite';

/** SQLite's lock on a file, which ends with its process, however that ends. Null while another process has it. */
export function tryLock(file: string): DatabaseSync | null {
  const database = new DatabaseSync(file);
  try {
    database.exec('begin exclusive');
    return database;
  } catch (error) {
    database.close();
    if (/locked|busy/i.test((error as Error).message)) return null;
    throw error;
  }
}
