// SPDX-License-Identifier: Apache-2.0
#include "tools/html_assets.h"

namespace iotadnn::tools {

// Colours of partitions are made of their hue, --h, once for light and once for dark pages.
const char* const kHtmlStyle = R"css(
:root {
  color-scheme: light dark;
  --page: #f6f7f9; --card: #ffffff; --ink: #1d2430; --soft: #5b6675; --line: #d5dbe3;
  --accent: #0b5fcc; --edge: #9aa5b4; --grey: #e6e9ee; --grey-line: #a3adba; --code: #f1f3f6;
  --s: 72%; --l: 87%; --line-s: 50%; --line-l: 40%;
}
@media (prefers-color-scheme: dark) {
  :root {
    --page: #14181e; --card: #1c222b; --ink: #e4e9f0; --soft: #9ba7b6; --line: #333c48;
    --accent: #7ab4ff; --edge: #66717f; --grey: #2a313b; --grey-line: #657181; --code: #161b22;
    --s: 38%; --l: 25%; --line-s: 55%; --line-l: 62%;
  }
}
* { box-sizing: border-box; }
body { margin: 0; background: var(--page); color: var(--ink);
  font: 15px/1.5 system-ui, "DejaVu Sans", sans-serif; }
header, main { max-width: 1500px; margin: 0 auto; padding: 0 24px; }
header { padding-top: 20px; }
h1 { font-size: 21px; margin: 0; overflow-wrap: anywhere; }
h2 { font-size: 16px; margin: 26px 0 10px; }
.soft { color: var(--soft); }
header p { margin: 2px 0 12px; }
.note { border-left: 3px solid var(--accent); padding-left: 10px; }
.card { background: var(--card); border: 1px solid var(--line); border-radius: 10px; }
.legend { display: flex; flex-wrap: wrap; gap: 6px 8px; margin: 0 0 12px; padding: 0;
  list-style: none; max-height: 132px; overflow: auto; }
.legend li { display: flex; align-items: center; gap: 7px; padding: 2px 10px 2px 8px;
  border: 1px solid var(--line); border-radius: 14px; background: var(--card); font-size: 13px; }
.legend li[data-p] { cursor: pointer; }
.swatch { width: 15px; height: 15px; border-radius: 4px; border: 1.5px solid var(--grey-line);
  background: var(--grey); flex: none; }
.claimed .swatch, .swatch.claimed { background: hsl(var(--h) var(--s) var(--l));
  border-color: hsl(var(--h) var(--line-s) var(--line-l)); }
.gone .swatch { background: none; border-style: dashed; }
.port .swatch { background: var(--card); border-radius: 8px; }
.constant .swatch { background: var(--card); border-radius: 8px; border-width: 1px; border-color: var(--edge); }
.view { display: grid; grid-template-columns: minmax(0, 1fr) 330px; gap: 14px; }
.tools { display: flex; gap: 6px; align-items: center; padding: 8px 10px;
  border-bottom: 1px solid var(--line); }
.tools input { flex: 1; min-width: 60px; max-width: 320px; }
.tools input, .tools button { font: inherit; font-size: 13px; padding: 3px 9px; color: var(--ink);
  background: var(--page); border: 1px solid var(--line); border-radius: 6px; }
.tools button { cursor: pointer; min-width: 32px; }
.canvas { overflow: auto; min-height: 260px; max-height: min(72vh, 820px); padding: 16px 12px; text-align: center; }
.canvas svg { display: inline-block; }
.canvas text { font: 600 13px system-ui, "DejaVu Sans", sans-serif; fill: var(--ink);
  text-anchor: middle; }
.canvas text.s { font-weight: 400; font-size: 11px; fill: var(--soft); }
.canvas text.b { font-size: 10px; font-weight: 600;
  fill: hsl(var(--h) var(--line-s) var(--line-l)); text-anchor: end; }
.e { fill: none; stroke: var(--edge); stroke-width: 1.3; }
.e.on { stroke: var(--accent); stroke-width: 2.4; }
.v { cursor: pointer; }
.v rect { fill: var(--grey); stroke: var(--grey-line); stroke-width: 1.3; }
.v.claimed rect { fill: hsl(var(--h) var(--s) var(--l));
  stroke: hsl(var(--h) var(--line-s) var(--line-l)); stroke-width: 1.6; }
.v.gone rect { fill: none; stroke-dasharray: 5 4; }
.v.port rect { fill: var(--card); stroke: var(--soft); }
.v.constant rect { fill: var(--card); stroke: var(--edge); stroke-width: 1; }
.v.constant text { font-weight: 400; }
.v:hover rect, .v:focus rect, .v.hit rect, .v.shown rect { stroke: var(--accent); stroke-width: 3; }
svg.pick .v { opacity: .28; } svg.pick .v.picked { opacity: 1; }
.details { padding: 12px 16px; overflow: auto; max-height: min(78vh, 880px); font-size: 13.5px; }
.details h2 { margin: 0 0 6px; }
.details dl { margin: 0; } .details dt { color: var(--soft); font-size: 12px; margin-top: 7px; }
.details dd { margin: 0; overflow-wrap: anywhere; white-space: pre-wrap; }
.partition { margin: 0 0 8px; }
.partition summary { display: flex; gap: 12px; align-items: center; padding: 8px 14px;
  cursor: pointer; }
.partition summary b { white-space: nowrap; }
.partition summary .kinds { overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
.partition summary .runner { margin-left: auto; white-space: nowrap; font-size: 13px; }
.partition h3 { font-size: 13px; margin: 4px 14px; color: var(--soft); font-weight: 600;
  overflow-wrap: anywhere; }
pre { margin: 0 14px 12px; padding: 10px 12px; background: var(--code); border-radius: 8px;
  overflow: auto; max-height: 460px; font: 12.5px/1.5 ui-monospace, "DejaVu Sans Mono", monospace; }
footer { padding: 22px 0; font-size: 13px; }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 1px; }
.v:focus-visible { outline: none; }
@media (max-width: 900px) { .view { grid-template-columns: minmax(0, 1fr); } }
)css";

}  // namespace iotadnn::tools
