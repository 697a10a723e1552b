import { resolve } from 'node:path';
import { isInOwnFolder, real } from './own-folder.ts';

export type SecretScope = {
  /**
   * Absolute paths of folders with secrets. Each folder has a subfolder for each tenant, with the tenant's name. The `file:` references of
   * a tenant may name files in its subfolder.
   */
  readonly folders: readonly string[];
  /** Lockstep's own files, such as the file with the sealing keys (encryption keys). No tenant file may refer to them. */
  readonly ownFiles: readonly string[];
  /**
   * Names of environment variables that `env:` may name in addition to those with the tenant's own prefix. An entry that ends in `*` is a
   * prefix.
   */
  readonly names: readonly string[];
  /** Whether tenants' remote systems must not have loopback, link-local or private addresses. */
  readonly publicOnly?: boolean;
};

export const OWN_FOLDER_ONLY: SecretScope = { folders: [], ownFiles: [], names: [] };

/** Matches environment variables of Lockstep, its database, Temporal and Node. No tenant may use them, whatever the tenant's name. */
const OWN_NAMES = /^(LOCKSTEP_|TEMPORAL_|DATABASE_URL$|PG[A-Z]+$|NODE_|PATH$|HOME$)/;

/**
 * First words of the names of environment variables that configure other programs, clouds and tools. A tenant whose name begins with such a
 * word gets no access to these variables, although their names begin with the tenant's prefix. An operator can allow single variables in
 * LOCKSTEP_TENANT_ENV.
 */
const FOREIGN_WORDS: ReadonlySet<string> = new Set(
  [
    'ALL ANTHROPIC API APP ARM AUTH AWS AZURE BASH BUILDKITE CARGO CI CIRCLE CLOUDFLARE CLOUDSDK CODECOV CONSUL COREPACK CURL',
    'DATABASE DATADOG DB DBUS DD DIGITALOCEAN DOCKER DOTENV ELASTICSEARCH EMAIL FTP GCLOUD GCP GH GIT GITHUB GITLAB GNUPG',
    'GOOGLE GPG GRAFANA GRPC HELM HEROKU HF HOME HONEYCOMB HOST HTTP HTTPS JAVA JDK JENKINS JIRA JSFORCE JWT KAFKA KRB5 KUBE',
    'KUBERNETES LANG LC LD MAIL MAVEN MEMCACHED MINIO MONGO MONGODB MYSQL NATS NETLIFY NEWRELIC NO NODE NOMAD NPM NUGET OAUTH',
    'OCI OPENAI OPENSSL OTEL PATH PG PGP PIP PNPM POETRY POSTGRES POSTGRESQL PRISMA PROMETHEUS PROXY PYPI PYTHON RABBITMQ',
    'REDIS REQUESTS ROOT RUBY S3 SALESFORCE SECRET SECRETS SENDGRID SENTRY SERVICE SESSION SF SFDX SHELL SLACK SMTP SNYK SONAR',
    'SPLUNK SQL SSH SSL STRIPE SUDO SVC SYSTEMD TELEGRAM TERM TF TLS TMP TOKEN TRAVIS TWILIO USER UV VAULT VERCEL VITE VITEST',
    'XDG YARN',
  ].flatMap((line) => line.split(' ')),
);

/** The prefix of the environment variables that belong to a tenant: `ACME_EU_` for the tenant `acme-eu`. */
export function ownPrefix(tenant: string): string {
  return `${tenant.toUpperCase().replaceAll(/[^A-Z0-9]/g, '_')}_`;
}

/** Why a tenant file may not name this secret; null if it may. The reason is the end of a sentence that begins with the key. */
export function outOfScope(
  reference: string,
  {
    tenant,
    baseDir,
    scope,
  }: {
    readonly tenant: string;
    /** The tenant file's folder; null for a tenant of the registry (the ledger's table of tenants). */
    readonly baseDir: string | null;
    readonly scope: SecretScope;
  },
): string | null {
  const rest = reference.slice(reference.indexOf(':') + 1);
  return reference.startsWith('env:')
    ? foreignName(rest, tenant, scope)
    : foreignFile(rest, { tenant, baseDir, scope });
}

function foreignName(name: string, tenant: string, { names }: SecretScope): string | null {
  if (OWN_NAMES.test(name)) return `names ${name}, which is Lockstep's own`;
  const prefix = ownPrefix(tenant);
  if (isNamed(name, names)) return null;
  if (FOREIGN_WORDS.has(name.split('_')[0] ?? '') || name.startsWith('NEW_RELIC_')) {
    return `names ${name}, which may be another program's: write the secret into a file, or list the name in LOCKSTEP_TENANT_ENV`;
  }
  if (name.startsWith(prefix)) return null;
  return `names ${name}: call it ${prefix}…, or list it in LOCKSTEP_TENANT_ENV`;
}

/** Whether the list contains the name. An entry that ends in `*` is a prefix. */
export function isNamed(name: string, names: readonly string[]): boolean {
  return names.some((one) => (one.endsWith('*') ? name.startsWith(one.slice(0, -1)) : name === one));
}

/**
 * The tenant to which an environment variable belongs, by the prefix of its name; null if none. If the prefixes of several tenants fit, the
 * longest one counts.
 */
export function belongsTo(name: string, tenants: readonly string[]): string | null {
  const owners = tenants.filter((tenant) => name.startsWith(ownPrefix(tenant)));
  return owners.reduce<string | null>((most, one) => (one.length > (most?.length ?? 0) ? one : most), null);
}

/** Why a tenant file may not name this file, for a secret or a mapping; null if it may name it. */
export function foreignFile(
  path: string,
  { tenant, baseDir, scope }: { readonly tenant: string; readonly baseDir: string | null; readonly scope: SecretScope },
): string | null {
  const { folders, ownFiles } = scope;
  const file = real(resolve(baseDir ?? '/', path));
  if (ownFiles.some((own) => real(own) === file)) return "points at a file of Lockstep's own";
  if (isInOwnFolder(file, { tenant, baseDir, folders })) return null;
  if (baseDir === null) {
    return `points outside the folders "${tenant}" in those of LOCKSTEP_SECRETS: move the file there for every process, or have its value sealed with --seal`;
  }
  return `points outside this tenant's own folder: move the file into a folder "${tenant}" beside the tenant file, or into one in a folder of LOCKSTEP_SECRETS`;
}
