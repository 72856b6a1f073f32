// The smallest stateless server of the TypeScript SDK with the cheapest tool: node typescript_server.mjs PACKAGE PORT,
// where PACKAGE is a folder with the SDK in its node_modules.
import { createServer } from "node:http";
import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const [, , folder, port] = process.argv;
const resolved = createRequire(join(folder, "package.json"));
const load = (name) => import(pathToFileURL(resolved.resolve(`@modelcontextprotocol/sdk/${name}`)));
const { McpServer } = await load("server/mcp.js");
const { StreamableHTTPServerTransport } = await load("server/streamableHttp.js");

const balance = {
  available: 120,
  reserved: 5,
  usedThisMonth: 375,
  monthlyLimit: 500,
  resetDate: "2026-08-01T00:00:00Z",
};

function smallest() {
  const server = new McpServer({ name: "smallest", version: "1.0.0" });
  server.registerTool("get_credits", { description: "Get the credit balance." }, async () => ({
    content: [{ type: "text", text: JSON.stringify(balance) }],
  }));
  return server;
}

async function read(request) {
  const parts = [];
  for await (const part of request) parts.push(part);
  return JSON.parse(Buffer.concat(parts).toString());
}

createServer(async (request, response) => {
  if (request.method !== "POST") return response.writeHead(405).end();
  const server = smallest();
  const transport = new StreamableHTTPServerTransport({ sessionIdGenerator: undefined, enableJsonResponse: true });
  response.on("close", () => {
    transport.close();
    server.close();
  });
  await server.connect(transport);
  await transport.handleRequest(request, response, await read(request));
}).listen(Number(port), "127.0.0.1");
