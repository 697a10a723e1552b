/**
 * Who may import whom; every folder may import itself. A target is a folder of this repository (`src/domain`), an npm package by its name or its
 * scope (`@temporalio/`), or `node:` for what comes with Node.
 */
export type FolderRule = {
  readonly folder: string;
  /** What may be imported; absent allows everything that `never` does not name. */
  readonly only?: readonly string[];
  /** What may be imported besides, in `import type` statements alone. */
  readonly typesOnly?: readonly string[];
  readonly never?: readonly string[];
  /** Single files out of what `never` names. */
  readonly except?: readonly string[];
};

/** Every folder of this repository that holds sources. */
const OUR_FOLDERS = ['workflows', 'activities', 'src', 'test', 'scripts', 'temporal.config.ts'] as const;

export const FOLDER_RULES: readonly FolderRule[] = [
  { folder: 'src/domain', only: ['decimal.js'] },
  {
    folder: 'workflows',
    only: ['src/domain', 'temporal.config.ts', '@temporalio/workflow', '@temporalio/common'],
    typesOnly: ['activities'],
  },
  {
    folder: 'activities',
    only: [
      'src/domain',
      'temporal.config.ts',
      '@temporalio/activity',
      '@temporalio/common',
      'node:',
      // A port is its types and its errors: who adapts one has to tell its failures apart.
      'src/partner-api/index.ts',
      'src/salesforce/errors.ts',
      'src/ledger/ledger-error.ts',
    ],
    typesOnly: ['src'],
  },
  { folder: 'src/partner-api', never: OUR_FOLDERS },
  {
    folder: 'src/salesforce',
    never: [
      'workflows',
      'activities',
      'src/ledger',
      'src/partner-api',
      'src/worker',
      'src/webhooks',
      'src/cli',
    ],
  },
  {
    folder: 'src/ledger',
    never: [
      'workflows',
      'activities',
      'src/salesforce',
      'src/partner-api',
      'src/worker',
      'src/webhooks',
      'src/cli',
    ],
  },
  {
    folder: 'src/platform',
    // Names and types of messages only: clients need them, and it holds no workflow.
    except: ['workflows/messages.ts'],
    never: [
      'workflows',
      'activities',
      'src/partner-api',
      'src/salesforce',
      'src/ledger',
      'src/webhooks',
      'src/worker',
      'src/cli',
      'src/simulators',
    ],
  },
  { folder: 'src/worker', never: ['src/webhooks', 'src/cli', 'src/simulators'] },
  { folder: 'src/webhooks', never: ['src/worker', 'src/cli', 'src/simulators'] },
  {
    folder: 'src/simulators',
    never: [
      'workflows',
      'activities',
      'src/domain',
      'src/partner-api',
      'src/salesforce',
      'src/ledger',
      'src/cli',
    ],
  },
  { folder: 'temporal.config.ts', only: ['@temporalio/common'] },
];

/** The one file that reads the environment; tests and the plain JavaScript set-up have their own. */
export const ENVIRONMENT_READER = 'src/platform/settings.ts';

/** Folders whose logic is told the time. */
export const CLOCKLESS_FOLDERS = ['src/domain', 'workflows'] as const;

export const MAX_LINES = 400;
