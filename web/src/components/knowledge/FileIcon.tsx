/** A file's kind as a picture. */
import { File, FileImage, FileSpreadsheet, FileText, Mail, Presentation } from "lucide-react";
import css from "./FileIcon.module.css";

export function FileIcon({ mediaType }: { mediaType: string }) {
  const Icon = /sheet|excel|csv/.test(mediaType) ? FileSpreadsheet : /presentation|powerpoint/.test(mediaType) ? Presentation : /rfc822|message/.test(mediaType) ? Mail
    : mediaType.startsWith("image/") ? FileImage : /pdf|word|text|opendocument|epub|html/.test(mediaType) ? FileText : File;
  return <span className={css.icon} aria-hidden="true"><Icon size={19} /></span>;
}
