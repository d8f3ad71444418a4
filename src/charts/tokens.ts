// The colours of the report and the dashboard, light and dark.

export const TOKENS = `
:root {
  color-scheme: light dark;
  --paper: light-dark(#fbfaf7, #171513);
  --card: light-dark(#ffffff, #201d1a);
  --ink: light-dark(#1e1b18, #eeeae4);
  --ink-soft: light-dark(#57514a, #bcb4aa);
  --ink-faint: light-dark(#6d665e, #9d958b);
  --line: light-dark(#e5e0d8, #38332d);
  --line-strong: light-dark(#b9b1a6, #5d564e);
  --copper: light-dark(#9a4a16, #e6a06c);
  --copper-soft: light-dark(#f8ebe0, #3a2a1e);
  --forest: light-dark(#0072b2, #56a9e0);
  --bayes: light-dark(#008a66, #2fc296);
  --logistic: light-dark(#d55e00, #f3853d);
  --done: light-dark(#1a7431, #57c26b);
  --running: light-dark(#0b62a8, #6cb4ee);
  --early: light-dark(#8a5a00, #e0ad45);
  --failed: light-dark(#b3261e, #f58b80);
  --tone-0: light-dark(#8f877b, #857e74);
  --tone-1: light-dark(#7a4a9e, #bd93dd);
  --tone-2: light-dark(#2f8db3, #6fc4e4);
  --tone-3: light-dark(#b07800, #e9b949);
  --tone-4: light-dark(#b23a6b, #ec86ae);
  --shade: light-dark(rgb(60 45 30 / 0.16), rgb(0 0 0 / 0.5));
  --radius: 8px;
}
`;
