import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Variables about the machine, and about Python's folders. None is a secret. */
const PLAIN =
  /^(?:PATH|HOME|USER|LOGNAME|SHELL|TERM|LANG|LANGUAGE|LC_[A-Z]+|TZ|TMPDIR|TEMP|TMP|NO_COLOR|LD_LIBRARY_PATH|XDG_[A-Z_]+|VIRTUAL_ENV|PYENV_[A-Z_]+|PYTHON(?:PATH|HOME|UNBUFFERED|DONTWRITEBYTECODE))$/;
/** Variables for proxies and certificates. A proxy's password is meant for every program that uses the proxy. */
const NETWORK =
  /^(?:(?:https?|ftp|all|no)_proxy|(?:HTTPS?|FTP|ALL|NO)_PROXY|SSL_CERT_(?:FILE|DIR)|NIX_SSL_CERT_FILE|(?:REQUESTS|CURL)_CA_BUNDLE|NODE_EXTRA_CA_CERTS|NODE_USE_ENV_PROXY|NODE_USE_SYSTEM_CA)$/;
/** Settings of npm and pip; they may contain a registry's password. */
const OF_INSTALLERS = /^(?:npm_config_.+|PIP_[A-Z_]+)$/i;

/**
 * The environment for npm, pip and the other programs of the set-up: the variables to reach a registry, and those that an `.npmrc` uses as
 * `${NAME}`. These programs run third-party code, so they get no other secrets of the user's shell.
 * @param {NodeJS.ProcessEnv} env
 * @param {string} root folder of the checkout
 * @returns {NodeJS.ProcessEnv}
 */
export function setupEnvironment(env, root) {
  const named = namesInNpmrc(env, root);
  const isAllowed = (/** @type {string} */ name) =>
    PLAIN.test(name) || NETWORK.test(name) || OF_INSTALLERS.test(name) || named.has(name);
  return Object.fromEntries(Object.entries(env).filter(([name]) => isAllowed(name)));
}

/**
 * @param {NodeJS.ProcessEnv} env
 * @param {string} root
 * @returns {ReadonlySet<string>}
 */
function namesInNpmrc(env, root) {
  const configs = [env['npm_config_userconfig'], env['NPM_CONFIG_USERCONFIG'], env['npm_config_globalconfig']];
  const files = [join(root, '.npmrc'), join(env['HOME'] ?? '', '.npmrc'), ...configs];
  return new Set(files.flatMap((file) => (file === undefined ? [] : namesIn(file))));
}

/**
 * @param {string} file
 * @returns {string[]} names that stand in it as `${NAME}`; none where it cannot be read
 */
function namesIn(file) {
  try {
    return Array.from(readFileSync(file, 'utf8').matchAll(/\$\{([A-Za-z_]\w*)\??\}/g), ([, name]) => name ?? '');
  } catch {
    return [];
  }
}
