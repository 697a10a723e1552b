/** Database of the test server that is migrated, and that nobody else may be connected to: others are made as its copies. */
export const MIGRATED = 'migrated';
