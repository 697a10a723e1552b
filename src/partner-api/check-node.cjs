/** Says what is wrong on a Node that undici cannot run on, instead of an error from deep inside it. */
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);

if (major < 22 || (major === 22 && minor < 19)) {
  throw new Error(`lockstep/partner-api needs Node 22.19 or newer; this is Node ${process.versions.node}`);
}
