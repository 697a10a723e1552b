import type { Command } from 'commander';
import type { Ledger } from '../../ledger/ledger.ts';
import type { CliContext } from '../context.ts';
import { EXIT } from '../exit.ts';
import { openOwnLedger, ownTenants } from '../runtime.ts';

const EXAMPLE = `
Example:
  lockstep status --json

Exits with 2 when a record is parked, in conflict or missing at the vendor, or when a tenant is paused.`;

const NEEDS_ATTENTION = ['parked', 'conflict', 'vendor-missing'] as const;
const SHOWN_RECORDS = 20;

type TenantStatus = {
  readonly tenant: string;
  readonly records: Readonly<Record<string, number>>;
  readonly paused: readonly { readonly group: string; readonly reason: string; readonly since: string }[];
  readonly attention: readonly {
    readonly key: string;
    readonly crmId: string | null;
    readonly vendorId: string | null;
    readonly state: string;
    readonly issues: readonly { readonly code: string; readonly message: string }[];
  }[];
};

/** `lockstep status`: how many records are in which state, and which need somebody. */
export function addStatus(program: Command, context: CliContext): void {
  program
    .command('status')
    .description('count the records by state, and list those that need somebody')
    .option('--json', 'print the result as JSON')
    .addHelpText('after', EXAMPLE)
    .action(async (options: { json?: boolean }) => {
      const tenants = ownTenants(context);
      const ledger = await openOwnLedger(context.settings());
      try {
        const all = await Promise.all(tenants.map(({ tenant }) => readStatus(ledger, tenant)));
        const isQuiet = all.every((one) => one.attention.length === 0 && one.paused.length === 0);
        if (!isQuiet) context.exitCode = EXIT.attention;
        const lines = options.json === true ? [JSON.stringify({ tenants: all })] : all.flatMap(describe);
        for (const line of lines) context.print(line);
      } finally {
        await ledger.close();
      }
    });
}

async function readStatus(ledger: Ledger, tenant: string): Promise<TenantStatus> {
  const lists = await Promise.all(
    NEEDS_ATTENTION.map((state) => ledger.listLinks(tenant, { state, limit: SHOWN_RECORDS })),
  );
  return {
    tenant,
    records: await ledger.countByState(tenant),
    paused: await ledger.pauses(tenant),
    attention: lists
      .flat()
      .map(({ key, crmId, vendorId, state, issues }) => ({ key, crmId, vendorId, state, issues })),
  };
}

function describe(status: TenantStatus): readonly string[] {
  const counts = Object.entries(status.records).map(([state, count]) => `${count} ${state}`);
  return [
    `${status.tenant}: ${counts.length === 0 ? 'no records yet' : counts.join(', ')}`,
    ...status.paused.map(({ group, reason, since }) => `  paused: ${group} since ${since} (${reason})`),
    ...status.attention.flatMap((record) => [
      `  ${record.state}: ${record.crmId ?? record.vendorId ?? record.key}`,
      ...record.issues.map((issue) => `    ${issue.message}`),
    ]),
  ];
}
