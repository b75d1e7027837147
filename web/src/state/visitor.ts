/** What was so last time: somebody was signed in, there were documents. No secret and no proof: it only decides what stands on the page while the server is asked. */

const signedInKey = "famulus.signed-in";
const documentsKey = "famulus.documents";

export const wasSignedIn = () => kept(signedInKey);
export const rememberSignedIn = (signedIn: boolean) => keep(signedInKey, signedIn);
export const hadDocuments = () => kept(documentsKey);
export const rememberDocuments = (some: boolean) => keep(documentsKey, some);

function kept(key: string): boolean {
  try {
    return localStorage.getItem(key) !== null;
  } catch {
    return false;
  }
}

function keep(key: string, so: boolean): void {
  try {
    if (so) localStorage.setItem(key, "1");
    else localStorage.removeItem(key);
  } catch {
    // Without storage the page waits for the answer.
  }
}
