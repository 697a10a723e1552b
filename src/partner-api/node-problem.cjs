const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);

/** The error message for a version of Node on which undici cannot run; null if the version is supported. */
module.exports =
  major < 22 || (major === 22 && minor < 19)
    ? `lockstep/partner-api needs Node 22.19 or newer; this is Node ${process.versions.node}`
    : null;
