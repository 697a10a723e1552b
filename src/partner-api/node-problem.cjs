const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);

/** What is wrong with a Node that undici cannot run on, for an error that says so; null where nothing is. */
module.exports =
  major < 22 || (major === 22 && minor < 19)
    ? `lockstep/partner-api needs Node 22.19 or newer; this is Node ${process.versions.node}`
    : null;
