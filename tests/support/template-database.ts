/** The migrated database that every test database is cloned from. */
export const templateDatabase = 'http_ae_template';
