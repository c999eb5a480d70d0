#include "twofold/report/page_style.h"

#include "twofold/base/error.h"

namespace twofold::report {

// Colors are named once for light and once for dark; all else, plots and drawings included, asks for them by
// name. Text has a contrast of at least 4.5 on its ground in both. What is wider than the window scrolls in a
// box of its own.
const char* const kPageStyle = R"css(
:root{color-scheme:light dark;
--paper:#fff;--ink:#1b1f24;--soft:#57606a;--line:#d8dee4;--tint:#f5f7f9;--accent:#0f5ea8;
--better:#d9f2e1;--better-ink:#0a5527;--worse:#fbe2de;--worse-ink:#8a1c12;--new:#dde9fb;--new-ink:#144489;
--warn:#fff5d6;--warn-line:#c79a12;--shade:#0003;
--c0:#0f6ab4;--c1:#c2510a;--c2:#14804f;--c3:#a0338c;--c4:#7b6500;--c5:#5257c9;--c6:#b3261e;--c7:#4b5862}
@media (prefers-color-scheme:dark){:root{
--paper:#14171a;--ink:#e4e8ec;--soft:#9ba7b4;--line:#343b43;--tint:#1d2226;--accent:#78b7f2;
--better:#12361f;--better-ink:#98e3b2;--worse:#421814;--worse-ink:#ffb9b0;--new:#132b4d;--new-ink:#aecbff;
--warn:#2e2710;--warn-line:#b8921f;--shade:#000b;
--c0:#6cb6ff;--c1:#ff9f5e;--c2:#5fd3a0;--c3:#ec93dd;--c4:#d8c24a;--c5:#a9acff;--c6:#ff8f85;--c7:#aab8c4}}
*{box-sizing:border-box}
html{-webkit-text-size-adjust:100%;text-size-adjust:100%}
body{margin:0;background:var(--paper);color:var(--ink);
font:1rem/1.55 system-ui,-apple-system,"Segoe UI",Roboto,"Noto Sans","DejaVu Sans",sans-serif}
main,header,footer{max-width:70rem;margin:0 auto;padding:0 clamp(1rem,4vw,2.5rem)}
header{padding-top:2.5rem}
h1,h2,h3{line-height:1.2;text-wrap:balance;overflow-wrap:anywhere}
h1{font-size:clamp(1.6rem,1.2rem + 1.6vw,2.3rem);margin:0 0 1rem;letter-spacing:-.01em}
h2{font-size:1.4rem;margin:3rem 0 .8rem;padding-top:1rem;border-top:1px solid var(--line)}
h3{font-size:1.1rem;margin:2rem 0 .6rem}
p,ul,.note,.warning{max-width:46rem}
p,li{overflow-wrap:anywhere}
.answer{font-size:clamp(1.1rem,1rem + .5vw,1.3rem);line-height:1.5;max-width:50rem;margin:0 0 .9rem;
padding-left:1rem;border-left:4px solid var(--accent)}
nav{font-size:.9rem;color:var(--soft);margin-top:1.2rem}
nav a{margin-right:1rem;white-space:nowrap}
a{color:var(--accent)}
code,pre{font-family:ui-monospace,"SFMono-Regular","DejaVu Sans Mono",Menlo,Consolas,monospace;font-size:.88em}
code{overflow-wrap:anywhere}
pre{background:var(--tint);border:1px solid var(--line);border-radius:6px;padding:.7rem .9rem;overflow-x:auto;
line-height:1.5;max-width:100%}
.note,.warning{border-radius:6px;padding:.7rem 1rem;margin:1rem 0;background:var(--tint);border:1px solid var(--line)}
.warning{background:var(--warn);border-color:var(--warn-line)}
.note p,.warning p{margin:0}
figure{margin:1.4rem 0 2rem}
figcaption{max-width:46rem;font-size:.92rem;color:var(--soft);overflow-wrap:anywhere}
figure.table figcaption{margin-bottom:.5rem}
figure.plot figcaption,figure.drawing figcaption{margin-top:.4rem}
.made{display:block;font-size:.8rem;color:var(--soft);margin-top:.35rem;overflow-wrap:anywhere}
.made a{margin-right:.7rem}
.scroll{overflow-x:auto;max-width:100%;
background:linear-gradient(to right,var(--paper) 40%,transparent) left/2.5rem 100% local,
linear-gradient(to left,var(--paper) 40%,transparent) right/2.5rem 100% local,
linear-gradient(to right,var(--shade),transparent) left/.9rem 100% scroll,
linear-gradient(to left,var(--shade),transparent) right/.9rem 100% scroll;background-repeat:no-repeat}
.scroll:focus-visible{outline:2px solid var(--accent);outline-offset:2px}
table{border-collapse:collapse;font-variant-numeric:tabular-nums lining-nums;font-size:.94rem;line-height:1.4}
th,td{padding:.36rem .8rem;text-align:left;vertical-align:baseline;border-bottom:1px solid var(--line)}
th:first-child{padding-left:.2rem}
thead th{font-weight:600;color:var(--soft);font-size:.86rem;vertical-align:bottom;border-bottom:2px solid var(--line)}
tbody th{font-weight:500;overflow-wrap:anywhere}
tbody th:not(.figure):not(.name){min-width:9rem}
tbody tr:last-child>*{border-bottom:0}
.figure{text-align:right;white-space:nowrap}
.name{white-space:nowrap}
.narrow{padding-left:.3rem;padding-right:.3rem}
thead .narrow{white-space:normal;min-width:3.4rem}
.mark{text-align:center;color:var(--soft);white-space:nowrap}
td:not(.figure):not(.mark):not(.name){min-width:9rem;overflow-wrap:anywhere}
td small,th small{display:block;font-size:.78rem;color:var(--soft);font-weight:400;white-space:normal}
.group th{font-weight:600;color:var(--accent);padding-top:1rem}
.better{background:var(--better);color:var(--better-ink)}
.worse{background:var(--worse);color:var(--worse-ink)}
.new{background:var(--new);color:var(--new-ink)}
.faint{color:var(--soft)}
.better small,.worse small,.new small{color:inherit}
svg{display:block;height:auto;width:100%}
.plot svg text,.drawing svg text{font-family:inherit}
.plot-grid{display:grid;grid-template-columns:repeat(auto-fill,minmax(min(100%,24rem),1fr));gap:1.2rem 2rem}
.plot-grid figure{margin:0;min-width:0}
.drawing svg{width:auto}
.drawing svg .paper{fill:none}
.legend{list-style:none;margin:.3rem 0 0;padding:0;display:flex;flex-wrap:wrap;gap:.15rem 1.1rem;font-size:.88rem}
.legend li{display:flex;align-items:center;gap:.4rem;min-width:0}
.legend svg{flex:none;width:26px;height:12px}
.missing{border:1px dashed var(--line);border-radius:6px;padding:1rem;color:var(--soft);max-width:46rem}
footer{font-size:.85rem;color:var(--soft);padding-top:1rem;padding-bottom:3rem;margin-top:3rem}
@media (max-width:600px){
th,td{padding:.36rem .5rem}
tbody tr:not(.group)>th,thead th:first-child{position:sticky;left:0;background:var(--paper)}
}
@media print{
:root{--paper:#fff;--ink:#000;--soft:#444;--line:#ccc;--tint:#f5f5f5;--accent:#0f5ea8;
--better:#d9f2e1;--better-ink:#0a5527;--worse:#fbe2de;--worse-ink:#8a1c12;--new:#dde9fb;--new-ink:#144489;
--warn:#fff5d6;--warn-line:#c79a12;--shade:transparent;
--c0:#0f6ab4;--c1:#c2510a;--c2:#14804f;--c3:#a0338c;--c4:#7b6500;--c5:#5257c9;--c6:#b3261e;--c7:#4b5862}
@page{margin:16mm 14mm}
html{font-size:9.5pt}
body{-webkit-print-color-adjust:exact;print-color-adjust:exact}
main,header,footer{max-width:none;padding-left:0;padding-right:0}
header{padding-top:0}
nav,.download{display:none}
h2,h3{break-after:avoid}
figure,.note,.warning,tr{break-inside:avoid}
.scroll{overflow:visible;background:none}
table{font-size:.92rem}
th,td{padding:.2rem .4rem}
figure.table.wide table,figure.table.wide thead th{font-size:.78rem}
thead .narrow{min-width:3.2rem}
.plot svg{max-width:120mm!important}
svg{min-width:0!important}
.plot-grid{grid-template-columns:1fr 1fr}
}
)css";

std::string light_color(const std::string& name) {
  const std::string style = kPageStyle;
  const std::string key = "--" + name + ":#";
  const std::size_t at = style.find(key);
  TWOFOLD_CHECK(at != std::string::npos, "no color {}", name);
  return style.substr(at + key.size() - 1, 7);
}

}  // namespace twofold::report
