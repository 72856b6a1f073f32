// Two hosts of MCP Apps as their makers publish them, in one page: window.show draws a result in either.
import { AppBridge, PostMessageTransport } from "@modelcontextprotocol/ext-apps/app-bridge";
import { AppRenderer } from "@mcp-ui/client";
import { createElement } from "react";
import { createRoot } from "react-dom/client";

const hostInfo = { name: "test host", version: "1.0.0" };
const capabilities = { openLinks: {}, serverTools: {}, message: { text: {} }, logging: {} };
const place = document.getElementById("place");
let root = null;
let bridge = null;
let shown = null;
window.sent = [];

const called = async ({ name }) => {
  window.sent.push(["tools/call", name]);
  const result = shown.calls[name];
  return { content: [], structuredContent: result || {}, isError: !result };
};
const asked = async (params) => {
  window.sent.push(["ui/message", params.role, params.content.map((block) => block.type)]);
  return {};
};
const resized = ({ height }) => {
  window.sent.push(["size-changed", height]);
  const frame = place.querySelector("iframe");
  if (frame && height) frame.style.height = `${height}px`;
};

async function showInBridge() {
  const frame = document.createElement("iframe");
  frame.sandbox = "allow-scripts allow-same-origin";
  frame.style = "border:0;width:100%;height:420px";
  frame.src = shown.sandbox;
  place.append(frame);
  bridge = new AppBridge(null, hostInfo, capabilities, { hostContext: { theme: shown.theme } });
  bridge.onsandboxready = () => bridge.sendSandboxResourceReady({ html: shown.html, sandbox: "allow-scripts" });
  bridge.oninitialized = async () => {
    await bridge.sendToolInput({ arguments: shown.input });
    await bridge.sendToolResult(shown.result);
  };
  bridge.oncalltool = called;
  bridge.onmessage = asked;
  bridge.onsizechange = resized;
  await bridge.connect(new PostMessageTransport(frame.contentWindow, frame.contentWindow));
}

function drawRenderer() {
  root.render(createElement(AppRenderer, {
    toolName: "chart", html: shown.html, sandbox: shown.sandboxConfig, hostInfo, hostCapabilities: capabilities,
    hostContext: { theme: shown.theme }, toolInput: shown.input, toolResult: shown.result,
    onCallTool: called, onMessage: asked, onSizeChanged: resized, onError: (error) => window.sent.push(["error", String(error)]),
  }));
}

window.show = async (settings) => {
  root?.unmount();
  await bridge?.close();
  root = bridge = null;
  place.replaceChildren();
  window.sent = [];
  shown = settings;
  document.body.style.background = settings.theme === "dark" ? "#111" : "#fff";
  if (settings.host === "AppBridge") return showInBridge();
  shown.sandboxConfig = { url: new URL(settings.sandbox) };
  const holder = document.createElement("div");
  place.append(holder);
  root = createRoot(holder);
  drawRenderer();
};
window.switchTheme = (theme) => {
  shown.theme = theme;
  document.body.style.background = theme === "dark" ? "#111" : "#fff";
  if (bridge) bridge.setHostContext({ theme });
  else drawRenderer();
};
