/** Key of a row that belongs to a merchant. The id alone is unique, but every query names the merchant too. */
export interface OwnedId {
  merchantId: number
  id: number
}
