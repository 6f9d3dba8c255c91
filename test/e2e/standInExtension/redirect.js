// Redirects connections of this extension host from the documented service to the test's stand-in, without TLS.
const net = require('node:net');
const tls = require('node:tls');

const service = 'api.powersignals.co.za';

function activate() {
  const address = process.env.GRID_DATA_STAND_IN;
  if (!address) return;
  const { hostname, port } = new URL(address);
  const connect = tls.connect;
  tls.connect = (...args) => {
    const options = args.find(argument => typeof argument === 'object' && argument !== null);
    if (![options?.host, options?.hostname, options?.servername].includes(service)) return connect(...args);
    return net.connect({ host: hostname, port: Number(port) });
  };
}

module.exports = { activate };
