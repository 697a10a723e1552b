/**
 * The project's scripts and their options, by the names that `scripts/bootstrap.mjs` uses. The parser and the help text read this table.
 */
export const SCRIPTS = /** @type {const} */ ({
  soak: {
    about:
      'Plays many random stories through the engine, and tries its laws with other values; what fails is printed in its shortest form.',
    example: 'soak -- --runs 5000 --properties 20 --seed 7',
    options: {
      runs: { whole: 1_000, says: 'stories' },
      properties: {
        whole: 0,
        says: 'how often the properties of the tests are tried, each time with other values',
      },
      seed: { text: '', says: 'the same stories and values again; a new one when absent' },
    },
  },
  chaos: {
    about:
      'Kills worker, receiver, PostgreSQL and Temporal under a two-way load, and looks for what was lost or doubled.',
    example: 'chaos -- --records 50 --kills 6 --seconds 60',
    options: {
      seed: { text: '', says: 'the same edits and kills again; a new one when absent' },
      records: { whole: 300, least: 1, says: 'deals' },
      kills: { whole: 24, says: 'how many, spread over the load' },
      seconds: { whole: 180, least: 1, says: 'how long users edit' },
      fleet: {
        flag: true,
        says: 'two workers and two receivers, killed and ended in turn while the workers roll to a new build; nothing else',
      },
    },
  },
  'fuzz:remotes': {
    about:
      'Both remotes of one tenant answer anything and its sender floods; the changes of the other may take twice their usual time, by the median. Less than 0.2 s is held against nobody: the test looks each tenth.',
    example: 'fuzz:remotes -- --minutes 3 --seed 7',
    options: {
      minutes: { number: 10, says: 'how long, half of it at rest' },
      seed: { text: '', says: 'the same answers again; a new one when absent' },
    },
  },
  'fuzz:sandbox': {
    about: 'Sends the vendor simulator whatever its OpenAPI document allows and forbids, and holds each answer to it.',
    example: 'fuzz:sandbox -- --seed 7 -n 500',
    options: {},
    passesOn: 'schemathesis run',
  },
  mutate: {
    about: 'Changes src/domain in small ways, and lists what no test notices.',
    example: 'mutate -- --mutate src/domain/merge/merge.ts',
    options: {},
    passesOn: 'stryker run',
  },
  'bench:sandbox': {
    about: 'Compares operations of both simulators with an empty route, and a page of many rows with one of few.',
    example: 'bench:sandbox -- --orders 20000',
    options: {
      orders: { whole: 100_000, least: 1, says: 'orders of the vendor simulator' },
      rows: { whole: 1_000_000, least: 10_000, says: 'rows of the Salesforce simulator' },
    },
  },
  'bench:scale': {
    about:
      'A ledger with very many tenants and links under a steady load; ends with 2 when a statement reads more there.',
    example: 'bench:scale -- --tenants 1000 --links 100000 --seconds 20',
    options: {
      tenants: { whole: 10_000, least: 201, says: 'in the large ledger; the small one has 200' },
      links: { whole: 10_000_000, least: 40_200, says: 'of all tenants together' },
      seconds: { whole: 600, least: 5, says: 'how long each of the two ledgers is under load' },
      rate: { whole: 200, least: 2, says: 'changes a second' },
      json: { flag: true, says: 'rows for machines' },
    },
  },
  'bench:ledger': {
    about: 'As many records at once as a worker has slots, through pools of several sizes.',
    example: 'bench:ledger -- --slots 200 --rounds 5',
    options: {
      slots: { whole: 0, says: "records at once; as many as a worker's slots when absent" },
      rounds: { whole: 10, least: 1, says: 'updates of each record' },
    },
  },
  'bench:walls': {
    about: 'What row-level security costs a statement and the audit log a command, side by side.',
    example: 'bench:walls -- --rounds 50',
    options: {
      rounds: { whole: 100, least: 1, says: 'calls of each kind in a turn' },
    },
  },
  'bench:idle': {
    about:
      'What an idle tenant costs an hour by shards, beside a schedule a tenant and stream; ends with 2 above its limit.',
    example: 'bench:idle -- --tenants 50',
    options: {
      tenants: { whole: 10, least: 1, says: 'tenants that are counted' },
      hours: { whole: 1, least: 1, says: 'hours of the clock that is moved' },
    },
  },
  'bench:fleet': {
    about:
      'Many tenants and links in one ledger on the real stack, idle, busy, replaying and beside one with much queued; ends with 2 when one thing does not hold.',
    example: 'bench:fleet -- --tenants 50 --links 50000 --busy 5 --queued 500 --seconds 30',
    options: {
      tenants: { whole: 1_000, least: 50, says: 'with nothing to do' },
      links: { whole: 1_000_000, least: 50, says: 'of all of them together' },
      busy: { whole: 50, least: 5, says: 'tenants in which people work' },
      queued: { whole: 10_000, least: 10, says: 'records of the one with much queued' },
      seconds: { whole: 60, least: 10, says: 'how long each state is looked at' },
      only: {
        anyOf: ['idle', 'busy', 'queue', 'replay'],
        says: 'this scenario; may be said several times; all when absent',
      },
    },
  },
  'bench:catalog': {
    about: 'Refreshes a large catalog twice, and counts the requests to both remotes against the rows that there are.',
    example: 'bench:catalog -- --products 500',
    options: { products: { whole: 5_000, least: 1, says: 'of the vendor' } },
  },
  'bench:orders': {
    about:
      'Loads orders and catalog on the real stack: requests against the least that it takes, memory, every field compared.',
    example: 'bench:orders -- --orders 2000 --rotation overlap --records 100',
    options: {
      orders: { whole: 2_000, least: 1, says: 'orders of the vendor' },
      products: { whole: 500, least: 1, says: 'products of the vendor' },
      kills: { whole: 0, says: 'of the worker and of PostgreSQL, in turn, in the catalog and in the orders' },
      rotation: {
        oneOf: ['replace', 'overlap'],
        says: 'a new key is made meanwhile, and how the gateway switches to it; none when absent',
      },
      records: { whole: 500, least: 1, says: 'deals that are synced while the key rotates' },
    },
  },
  'bench:receiver': {
    about: "What one tenant's senders can cost a receiver, in processor time, at the rates that it takes.",
    example: 'bench:receiver -- --rounds 100',
    options: { rounds: { whole: 300, least: 1, says: 'messages of each kind' } },
  },
  'bench:peers': {
    about: 'Compares a plain script, a plain Temporal workflow for each change and Lockstep on the same work, in turn.',
    example: 'bench:peers -- --records 50 --rounds 1',
    options: {
      records: { whole: 200, least: 1, says: 'deals; each is changed on either side in turn' },
      lone: { whole: 10, least: 0, says: 'how many of them are then changed one after the other' },
      rounds: { whole: 2, least: 1, says: 'turns of each' },
      json: { flag: true, says: 'rows for machines' },
    },
  },
  'bench:memory': {
    about:
      'Measures the memory of a busy worker and receiver in its parts; ends with 2 when one takes more than it may.',
    example: 'bench:memory -- --records 50',
    options: {
      records: { whole: 200, least: 1, says: 'deals; each is changed on either side in turn' },
      checkout: { flag: true, says: 'of the checkout, not of the packed connector' },
      json: { flag: true, says: 'rows for machines' },
    },
  },
  'bench:size': {
    about:
      'Installs the packed connector and a checkout in empty folders, and lists what takes the room; ends with 2 when one takes more than it may.',
    example: 'bench:size -- --only connector',
    options: {
      only: { anyOf: ['connector', 'checkout'], says: 'this one; both when absent' },
      most: { whole: 20, says: 'packages that are listed' },
      json: { flag: true, says: 'rows for machines' },
    },
  },
  'bench:engine': {
    about:
      'Measures the sync engine on a stack of its own and holds it to its limits; ends with 2 when one does not hold.',
    example: 'bench:engine -- --only lone --only heap',
    options: {
      only: {
        anyOf: ['lone', 'edits', 'signals', 'poison', 'steady', 'bulk', 'heap', 'delay', 'shipped', 'scripts'],
        says: 'this scenario; may be said several times; all when absent',
      },
      records: { whole: 1_000, least: 1, says: 'vendor changes of the scenario bulk' },
      json: { flag: true, says: 'rows for machines' },
    },
  },
  profile: {
    about:
      'Where the time of a change goes, alone and among many: a table, and flame graphs that open without network.',
    example: 'profile -- --records 50',
    options: {
      records: {
        whole: 200,
        least: 1,
        says: 'deals; each is changed once on either side, of those changed alone fifty at most',
      },
      only: {
        anyOf: ['alone', 'by-workflows', 'by-lane', 'by-lane-from-crm', 'by-lane-from-vendor'],
        says: 'one way of changes, or several',
      },
      json: { flag: true, says: 'rows for machines' },
      out: { text: '.lockstep/profile', says: 'the folder of the flame graphs' },
    },
  },
  'scorecard:salesforce': {
    about: 'Holds the Salesforce simulator to its documented points, and runs clients that others wrote against it.',
    example: 'scorecard:salesforce -- --go-salesforce v2.1.0 --json',
    options: {
      jsforce: { text: '', says: 'the folder of its sources, installed and compiled' },
      'simple-salesforce': { text: '', says: 'a python that has it' },
      'go-salesforce': { text: '', says: 'its version' },
      sf: { text: '', says: "the path of the CLI's program" },
      json: { flag: true, says: 'scores for machines' },
    },
  },
  'lint:openapi': {
    about: "Holds the sandbox's OpenAPI documents to three linters, without a warning.",
    example: 'lint:openapi',
    options: {},
  },
  'test:pack': {
    about:
      "Packs the vendor's client, and tries it in empty projects of each kind; packs the connector, and runs it as an installation.",
    example: 'test:pack -- --connector',
    options: { connector: { flag: true, says: 'the connector alone' } },
  },
  'test:server': {
    about:
      'Runs tests and benchmarks of the whole stack on a real Temporal server with PostgreSQL, which Go builds at the first call.',
    example: 'test:server -- --only tests --file kills',
    options: {
      only: { oneOf: ['tests', 'bench'], says: 'this part; both when absent' },
      file: { text: '', says: 'test files whose path contains this; all when absent' },
    },
  },
  'test:chart': {
    about: "Holds the Helm chart to Helm's own lint and to Kubernetes' schemas.",
    example: 'test:chart',
    options: {},
  },
  'audit:dependencies': {
    about: 'Asks the npm registry for known advisories on what is locked.',
    example: 'audit:dependencies',
    options: {},
  },
  generate: {
    about: 'Writes every file that is made of code: tables and pages of docs, OpenAPI documents, doc comments.',
    example: 'generate',
    options: { check: { flag: true, says: 'writes none, and names those that are stale' } },
  },
  'docs:licences': {
    about: 'Writes the licences of all dependencies to docs/licences.md.',
    example: 'docs:licences',
    options: {},
  },
  'docs:fields': {
    about: "Writes the words of simulators/src/vendor-fields into the doc comments of the client's types.",
    example: 'docs:fields',
    options: {},
  },
  'docs:points': {
    about: "Writes the Salesforce simulator's documented points to simulators/docs/salesforce-points.md.",
    example: 'docs:points',
    options: {},
  },
  'docs:openapi': {
    about: "Writes the sandbox's OpenAPI document to simulators/docs/vendor-sandbox.openapi.json.",
    example: 'docs:openapi',
    options: {},
  },
  check: {
    about: 'Format, lint, types, promises and layers of everything.',
    example: 'check',
    options: {},
  },
  'bench:backfill': {
    about: 'Brings years of deals in with the worker killed meanwhile, and compares what was done with the plan.',
    example: 'bench:backfill -- --records 400 --kills 0',
    options: {
      records: { whole: 10_000, least: 10, says: 'opportunities' },
      kills: { whole: 2, says: 'of the worker' },
      quota: { whole: 200, least: 20, says: 'requests to the vendor in 20 s; the backfill may use half' },
    },
  },
});
