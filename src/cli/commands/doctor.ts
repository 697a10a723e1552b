import { counted } from '../../domain/values/counted.ts';
import { readNoticesFile } from '../../notices/read-notices-file.ts';
import { offlineChecks, onlineChecks } from '../../operator/doctor/checks.ts';
import { type Diagnosis, examine, type Finding } from '../../operator/doctor/finding.ts';
import { noticesCheck } from '../../operator/doctor/notices-check.ts';
import { registryCheck } from '../../operator/doctor/registry-check.ts';
import type { Tenant } from '../../platform/tenant.ts';
import { checkBaseUrl } from '../../platform/web-address.ts';
import { doctorPorts, type Opened, reasonOf } from '../doctor-ports.ts';
import { CliError } from '../exit.ts';
import { operatorVerb, tenantOption } from '../operator-verb.ts';

type Options = { readonly tenant?: string; readonly offline?: true; readonly receiver?: string };

/** `lockstep doctor`: finds problems of this installation and names their repair. */
export const addDoctor = operatorVerb({
  name: 'doctor',
  example: `Example:
  lockstep doctor
  lockstep doctor --offline                 checks only Node, tenant files and sealing key
  lockstep doctor --tenant acme --json      for monitoring
  lockstep doctor --receiver https://lockstep.example.com
                                            sends the receiver a test message that names no opportunity

Each finding names its repair. Exits with 2 when a check fails or warns.`,
  takes: (command) =>
    tenantOption(command)
      .option('--offline', 'make no network request')
      .option('--receiver <url>', 'the address at which the org reaches the webhook receiver; known after `npm start`'),
  run: async (tools, { tenant: name, offline, receiver }: Options) => {
    const opened: Opened[] = [];
    const served = new Map<string, Tenant>();
    const keep = (part: Opened) => void opened.push(part);
    const ports = doctorPorts(tools.context, { ...tools, served }, keep, addressOf(receiver));
    try {
      const first = await examine(offlineChecks(ports), reasonOf);
      if (offline === true || first.findings.some(({ verdict }) => verdict === 'fails')) return first;
      const tenants = name === undefined ? await tools.tenants() : [await tools.tenant(name)];
      for (const tenant of tenants) served.set(tenant.tenant, tenant);
      const registry = registryCheck({ ledger: tools.ledger, now: tools.now }, name ?? null);
      const notices = noticesCheck(
        { setup: () => readNoticesFile(tools.context.settings().noticesFile), ledger: tools.ledger, now: tools.now },
        tenants.map(({ tenant }) => tenant),
      );
      const checks = [registry, notices, ...tenants.flatMap((tenant) => onlineChecks(ports, tenant))];
      const { findings, ...rest } = await examine(checks, reasonOf);
      return { ...rest, findings: [...first.findings, ...findings] };
    } finally {
      for (const part of opened.reverse()) await part.close();
    }
  },
  effect: 'reads',
  lines: linesOf,
  needsAttention: ({ findings }) => findings.some(({ verdict }) => verdict === 'fails' || verdict === 'warns'),
});

/**
 * Checks the receiver's address, which must be https or loopback, because the paths of webhooks are secret. Returns it without a trailing
 * slash.
 */
function addressOf(receiver: string | undefined): string | undefined {
  if (receiver === undefined) return undefined;
  const checked = checkBaseUrl(receiver);
  if ('problem' in checked) throw new CliError(`--receiver ${checked.problem}`);
  return checked.url;
}

function linesOf({ findings }: Diagnosis): readonly string[] {
  const bad = findings.filter(({ verdict }) => verdict === 'fails' || verdict === 'warns').length;
  const skipped = findings.filter(({ verdict }) => verdict === 'skipped').length;
  return [
    ...findings.flatMap(linesOfOne),
    bad === 0
      ? `Nothing is wrong${skipped === 0 ? '' : `; ${counted(skipped, 'check')} skipped`}.`
      : `${counted(bad, 'finding needs', 'findings need')} a repair.`,
  ];
}

function linesOfOne({ check, tenant, verdict, what, repair }: Finding): readonly string[] {
  const of = tenant === null ? '' : ` of ${tenant}`;
  return [`${verdict.padEnd(7)} ${check}${of}: ${what}`, ...(repair === null ? [] : [`        repair: ${repair}`])];
}
