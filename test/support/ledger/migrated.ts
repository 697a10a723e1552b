/** The migrated database of the test server. Nothing may connect to it, because other databases are made as its copies. */
export const MIGRATED = 'migrated';
