import { customers } from '../../testing/resources/customers.ts'
import { testDelete } from '../../testing/resources/delete.ts'
import { openResourceFixture } from '../../testing/resources/fixture.ts'

testDelete(await openResourceFixture(customers))
