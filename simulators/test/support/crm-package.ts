import { fileURLToPath } from 'node:url';

/** The Salesforce DX source that the simulated org is made from unless a test says otherwise. */
export const PACKAGE_DIR = fileURLToPath(new URL('../../../crm-package', import.meta.url));
