/**
 * Style of the element. It contains its few values (those of look/tokens.css) and shares them with no page,
 * because it is in a shadow root. A constructed style sheet needs no permission of the page's policy.
 */
const css = `
:host{all:initial;display:block;color-scheme:light dark;
--ink:#0f1729;--line:#e3e7ee;--card:#fff;--inset:#f0f3f8;--ring:#0b5fff;--danger:#c22f2f;--soft:#fdecec;
--accent:var(--vezne-accent,#0b5fff);--on-accent:var(--vezne-on-accent,#fff);--radius:var(--vezne-radius,8px);
color:var(--ink);
font:400 15px/1.5 var(--vezne-font,ui-sans-serif,system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue",Arial,sans-serif)}
@media (prefers-color-scheme:dark){:host{
--ink:#e8edf6;--line:#253045;--card:#141b29;--inset:#1b2435;--ring:#7aa7ff;--danger:#ff8585;--soft:#361a20}}
*{box-sizing:border-box}
.stage{position:relative;display:grid}
.stage>*{grid-area:1/1}
iframe{display:block;width:100%;border:0}
.waits iframe{visibility:hidden}
.place{position:absolute;left:0;width:1px;visibility:hidden;scroll-margin:16px}
.skeleton{display:grid;grid-template-columns:1fr 1fr;gap:24px 16px;align-content:space-between;min-height:900px;padding:24px 16px;border:1px solid var(--line);border-radius:12px;background:var(--card);animation:breathe 1.6s ease-in-out infinite alternate}
.skeleton i{grid-column:1/-1;height:48px;border-radius:var(--radius);background:var(--inset)}
.skeleton i.title{width:45%;height:28px}
.skeleton i.half{grid-column:auto}
.skeleton i.button{height:52px;background:var(--line)}
@keyframes breathe{to{opacity:.55}}
.unseen{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%);white-space:nowrap}
button{display:block;width:100%;min-height:52px;margin:0;padding:8px 16px;border:1px solid transparent;border-radius:var(--radius);
background:var(--accent);color:var(--on-accent);font:inherit;font-size:16px;font-weight:600;line-height:1.25;cursor:pointer;transition:filter .12s ease-out}
button:hover{filter:brightness(.94)}
button:focus{outline:0}
button:focus-visible{outline:2px solid transparent;box-shadow:0 0 0 2px var(--card),0 0 0 5px color-mix(in srgb,var(--vezne-accent,var(--ring)) 60%,transparent)}
button[aria-disabled=true]{cursor:default;filter:saturate(.6) brightness(.97)}
button.quiet{border-color:var(--line);background:var(--card);color:var(--ink)}
.fault{padding:16px;border:1px solid color-mix(in srgb,var(--danger) 28%,transparent);border-radius:12px;background:var(--soft)}
.fault p{margin:0}
.buttons{display:flex;flex-wrap:wrap;gap:12px;margin-top:16px}
.buttons button{flex:1 1 12rem;width:auto;min-height:44px;font-size:15px}
.button+.fault{margin-top:12px}
@media (prefers-reduced-motion:reduce){.skeleton{animation:none}button{transition:none}}
@media (forced-colors:active){button{border-color:ButtonText}.skeleton i{border:1px solid GrayText}}
`

let sheet: CSSStyleSheet | undefined

/** One style sheet for all elements of a web page. */
export function elementStylesheet(): CSSStyleSheet {
  if (!sheet) {
    sheet = new CSSStyleSheet()
    sheet.replaceSync(css)
  }
  return sheet
}
