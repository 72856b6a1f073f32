// The TypeScript SDK's client, led by lines of JSON: {"call": tool} comes in, {"result"} or {"open": address} goes out.
import { createInterface } from "node:readline";

const [generation, endpoint, callback] = process.argv.slice(2);
const modules = {
  first: ["@modelcontextprotocol/sdk/client/index.js", "auth.js", "streamableHttp.js"],
  second: ["@modelcontextprotocol/client"],
}[generation].map((name) => import(name.startsWith("@") ? name : `@modelcontextprotocol/sdk/client/${name}`));
const { Client, StreamableHTTPClientTransport, UnauthorizedError, auth } = Object.assign(
  {},
  ...(await Promise.all(modules)),
);
const lines = createInterface({ input: process.stdin })[Symbol.asyncIterator]();
const read = async () => JSON.parse((await lines.next()).value);
const write = (value) => process.stdout.write(JSON.stringify(value) + "\n");
const kept = {};

const provider = {
  redirectUrl: callback,
  clientMetadata: {
    client_name: "TypeScript SDK",
    redirect_uris: [callback],
    grant_types: ["authorization_code", "refresh_token"],
    response_types: ["code"],
    token_endpoint_auth_method: "none",
  },
  state: () => (kept.state = crypto.randomUUID()),
  clientInformation: () => kept.client,
  saveClientInformation: (client) => void (kept.client = client),
  tokens: () => kept.tokens,
  saveTokens: (tokens) => void (kept.tokens = tokens),
  codeVerifier: () => kept.verifier,
  saveCodeVerifier: (verifier) => void (kept.verifier = verifier),
  redirectToAuthorization: (address) => write({ open: address.href }),
};

const transport = new StreamableHTTPClientTransport(new URL(endpoint), { authProvider: provider });
const client = new Client({ name: "typescript", version: "1" });

// The first generation answers a missing scope with a refresh, which cannot widen one: its tokens have to go first.
async function signInAnew() {
  delete kept.tokens;
  const outcome = await auth(provider, { serverUrl: endpoint, scope: "service.read service.write" });
  if (outcome !== "REDIRECT") throw new Error("nobody was asked");
}

async function call(name) {
  try {
    return await client.callTool({ name, arguments: {} });
  } catch (error) {
    if (generation === "first" && error.code === 403) await signInAnew();
    else if (!(error instanceof UnauthorizedError)) throw error;
    const answer = await read();
    if (answer.state !== kept.state) throw new Error("another state came back");
    await transport.finishAuth(answer.code, answer.iss);
    return await client.callTool({ name, arguments: {} });
  }
}

await client.connect(transport);
write({ tools: (await client.listTools()).tools.map((tool) => tool.name) });
for (let asked = await read(); asked.call; asked = await read()) {
  const result = await call(asked.call);
  write({ result: result.structuredContent, scope: kept.tokens?.scope, token: kept.tokens?.access_token });
}
await client.close();
process.exit(0);
