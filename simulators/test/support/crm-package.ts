import { fileURLToPath } from 'node:url';

/** The Salesforce DX source that the simulated org is made from unless a test says otherwise. */
export const PACKAGE_DIR = fileURLToPath(new URL('../../../crm-package/main', import.meta.url));

/** What an org needs besides for the Pub/Sub API. */
export const CHANGES_DIR = fileURLToPath(new URL('../../../crm-package/changes', import.meta.url));
